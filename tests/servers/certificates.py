"""Certificates that nobody trusts, for servers of tests."""

from __future__ import annotations

import os
import shutil
import ssl
import subprocess
from pathlib import Path

import pytest

OPENSSL = shutil.which("openssl")


def untrusted_tls(folder: Path) -> ssl.SSLContext:
    """TLS of a server with a certificate for 127.0.0.1 that it signed itself."""
    if OPENSSL is None:
        if os.environ.get("CI"):
            pytest.fail("openssl is not installed, and CI has to test with it")
        pytest.skip("openssl is not installed (tests/install_servers.sh installs it)")
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(
        [
            *(OPENSSL, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-days", "2", "-subj", "/CN=localhost"),
            *("-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate),
        ],
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context
