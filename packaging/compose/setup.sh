#!/bin/sh
# Creates what the services of compose.yaml share, in the directory that is the argument. Existing
# files are kept.
set -eu
cd "$1"

create_password() {
  [ -e "$1" ] || od -An -N32 -tx1 /dev/urandom | tr -d ' \n' >"$1"
}

create_password postgres-password
create_password owner-password
create_password runtime-password

if ! [ -e keys.json ]; then
  vault-server keys init keys.json
  chown 10001:10001 keys.json
fi

if ! [ -e echo.pem ]; then
  rm -f echo.p12
  keytool -genkeypair -alias echo -keyalg EC -dname CN=echo.internal -ext san=dns:echo.internal \
    -validity 3650 -keystore echo.p12 -storepass changeit
  keytool -exportcert -rfc -alias echo -keystore echo.p12 -storepass changeit >echo.new
  mv echo.new echo.pem
fi
