#!/bin/sh
# Makes the secrets that compose.yaml hands to its services, once:
#
#   sh deploy/make_secrets.sh [FOLDER]      (default: secrets beside this script)
#
# What is there already is kept: a new jwt_secret would log everybody out, a new
# password would not be the database's.
set -eu
umask 077
folder=${1:-$(dirname "$0")/secrets}
mkdir -p "$folder"
chmod 700 "$folder" # nobody else comes in; the files are read by other users in containers
cd "$folder"

random_hex() { # of so many bytes; hexadecimal, so an address may hold it as it is
    od -An -vtx1 -N "$1" /dev/urandom | tr -d ' \n'
}

keep() { # name text
    [ -s "$1" ] && return
    printf '%s\n' "$2" >"$1.new"
    chmod 444 "$1.new"
    mv "$1.new" "$1"
    echo "made $1"
}

keep jwt_secret "$(random_hex 48)"
keep postgres_password "$(random_hex 24)"
keep metrics_token "$(random_hex 24)"
keep database_url "postgresql://genint:$(cat postgres_password)@db:5432/genint"
