package io.tokenvault.benchmark.program;

import java.nio.file.Path;

/** The yardstick: nginx takes plain requests and forwards them over TLS, with verification. */
public final class NginxProxy implements AutoCloseable {

  /** Idle connections to the destination that a worker keeps. */
  private static final int KEPT = 256;

  private final Nginx nginx;
  private final String url;

  private NginxProxy(Nginx nginx, String url) {
    this.nginx = nginx;
    this.url = url;
  }

  public static NginxProxy start(Workspace workspace, Destination destination) {
    int port = Workspace.freePort();
    String servers = servers(port, destination.port(), destination.authority());
    Nginx nginx = Nginx.start("nginx-proxy", workspace, servers, port);
    return workspace.keep(new NginxProxy(nginx, "http://127.0.0.1:" + port));
  }

  private static String servers(int port, int destination, Path authority) {
    return """
      upstream destination {
        server 127.0.0.1:%d;
        keepalive %d;
        keepalive_requests 100000000;
        keepalive_timeout 600s;
      }
      server {
        listen 127.0.0.1:%d backlog=1024;
        location / {
          proxy_pass https://destination;
          proxy_http_version 1.1;
          proxy_set_header Connection "";
          proxy_set_header Host %s;
          proxy_ssl_server_name on;
          proxy_ssl_name %s;
          proxy_ssl_verify on;
          proxy_ssl_trusted_certificate %s;
          proxy_ssl_protocols TLSv1.2 TLSv1.3;
        }
      }
    """
        .formatted(destination, KEPT, port, Destination.HOST, Destination.HOST, authority);
  }

  public String url() {
    return url;
  }

  @Override
  public void close() {
    nginx.close();
  }
}
