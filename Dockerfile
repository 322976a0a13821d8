# The server as `mvn package` has built it: vault-server/target/vault-server.jar and lib/ beside it.
#   mvn -q -DskipTests package
#   docker build -t token-vault .
# docs/deployment.md tells how to run it: with an external PostgreSQL, and the master keyset mounted.
FROM eclipse-temurin:21-jre-noble

# Workers of transforms are isolated by unshare and setpriv, which are in util-linux; the embedded
# PostgreSQL, should it be used, needs setpriv too.
RUN groupadd --system --gid 10001 vault \
    && useradd --system --uid 10001 --gid vault --home-dir /var/lib/vault --shell /usr/sbin/nologin vault \
    && install --directory --owner=vault --group=vault --mode=0700 /var/lib/vault

WORKDIR /opt/token-vault
COPY vault-server/target/lib/ lib/
COPY vault-server/target/vault-server.jar vault-server.jar

USER 10001:10001
ENV VAULT_DATA_DIR=/var/lib/vault \
    VAULT_HOST=0.0.0.0 \
    VAULT_PORT=8080 \
    VAULT_TRANSFORM_ISOLATION=required
VOLUME /var/lib/vault
EXPOSE 8080

# Whether the process lives and accepts connections, with or without TLS. That it is ready to serve
# is for a load balancer to ask, at /readyz.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["/bin/bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/${VAULT_PORT}"]

# The JVM is process 1 and gets SIGTERM itself.
ENTRYPOINT ["java", "-XX:MaxRAMPercentage=75", "-XX:+ExitOnOutOfMemoryError", "-jar", "vault-server.jar"]
CMD ["serve"]
