#!/usr/bin/env bash
# Installs what the tests run against, where it is absent: PostgreSQL, Redis, a browser,
# nginx, a validator of GFF3, the NCBI's tbl2asn, man, and MMseqs2, which clusters proteins when families are built.
# Needs apt-get and root (or sudo without a password). Where something cannot be installed it
# says so in one line and goes on: the tests that need it are then skipped, or fail under CI.
#
# The tests start servers of their own. So that the packages do not leave any service
# running, their start is forbidden while they install (policy-rc.d), and services that
# were not there before are not enabled for the next boot either.
set -u

has() {
    command -v "$1" >/dev/null || compgen -G "/usr/lib/postgresql/*/bin/$1" >/dev/null
}

wanted=()
has initdb || wanted+=(postgresql)
has redis-server || wanted+=(redis-server)
has chromium-headless-shell || has chromium || wanted+=(chromium-headless-shell)
has nginx || wanted+=(nginx-light)
has gt || wanted+=(genometools)
has tbl2asn || wanted+=(ncbi-tools-bin)
has openssl || wanted+=(openssl)
has mmseqs || wanted+=(mmseqs2)
has man || wanted+=(man-db)
# Only where nobody lives on the machine: it checks the units, nothing else.
[ -z "${CI:-}" ] || has systemd-analyze || wanted+=(systemd)
[ "${#wanted[@]}" -eq 0 ] && exit 0

cannot() {
    echo "install_servers.sh: cannot install ${wanted[*]}: $1; tests that need them are skipped"
    exit 0
}

command -v apt-get >/dev/null || cannot "there is no apt-get"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    sudo -n true 2>/dev/null || cannot "needs root or sudo without a password"
    as_root=(sudo -n)
fi

policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    trap '"${as_root[@]}" rm -f "$policy"' EXIT
    printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee "$policy" >/dev/null
    "${as_root[@]}" chmod 755 "$policy"
fi

apt() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq \
        -o Acquire::http::Timeout=20 -o Acquire::Retries=2 -o DPkg::Lock::Timeout=120 "$@" \
        >/dev/null 2>&1
}

apt update || true # an old list may still do
failed=()
for package in "${wanted[@]}"; do
    # The browser without windows takes half the time; not every distribution has it.
    [ "$package" != chromium-headless-shell ] || apt-cache show "$package" >/dev/null 2>&1 || package=chromium
    if ! apt install --yes --no-install-recommends "$package"; then
        failed+=("$package")
    elif [[ "$package" =~ ^(postgresql|redis-server|nginx-light)$ ]] && command -v systemctl >/dev/null; then
        "${as_root[@]}" systemctl disable --quiet "${package%-light}" 2>/dev/null || true
    fi
done
wanted=("${failed[@]}")
[ "${#failed[@]}" -eq 0 ] || cannot "apt-get failed"
