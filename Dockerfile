# Container image of the server. Build it:
#   mvn -q -DskipTests package
#   docker build -t token-vault .
# To run it with an external PostgreSQL and a mounted master keyset, see docs/deployment.md.
FROM eclipse-temurin:25-jre-noble

# util-linux, part of the base image, provides unshare and setpriv, which isolate the workers of
# transforms, and chrt, for the launcher. The embedded PostgreSQL also needs setpriv.
RUN groupadd --system --gid 10001 vault \
    && useradd --system --uid 10001 --gid vault --home-dir /var/lib/vault --shell /usr/sbin/nologin vault \
    && install --directory --owner=vault --group=vault --mode=0700 /var/lib/vault

WORKDIR /opt/token-vault
COPY vault-server/target/lib/ lib/
COPY vault-server/target/bin/ bin/
COPY vault-server/target/vault-server.jar vault-server.jar

# The class archive for a faster start. The program and the archive belong to root, so the server
# cannot change them.
RUN install --directory --owner=vault --group=vault archive \
    && setpriv --reuid=vault --regid=vault --clear-groups bin/vault-server --create-archive \
    && chown --recursive root:root archive \
    && ln --symbolic /opt/token-vault/bin/vault-server /usr/local/bin/vault-server

USER 10001:10001
# The heap may take three quarters of the container's memory.
ENV JDK_JAVA_OPTIONS=-XX:MaxRAMPercentage=75 \
    VAULT_DATA_DIR=/var/lib/vault \
    VAULT_HOST=0.0.0.0 \
    VAULT_PORT=8080 \
    VAULT_TRANSFORM_ISOLATION=required
VOLUME /var/lib/vault
EXPOSE 8080

# Checks that the process accepts connections, with or without TLS. For readiness, configure the
# load balancer to request /readyz.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["/bin/bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/${VAULT_PORT}"]

# The launcher replaces itself with the JVM, which is process 1 and receives SIGTERM.
ENTRYPOINT ["/opt/token-vault/bin/vault-server"]
CMD ["serve"]
