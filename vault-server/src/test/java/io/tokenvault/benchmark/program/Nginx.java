package io.tokenvault.benchmark.program;

import io.tokenvault.server.environment.Ports;
import io.tokenvault.server.environment.RunningProgram;
import java.nio.file.Path;
import java.util.Map;

/** An nginx in the foreground, with a worker for each processor and without an access log. */
public final class Nginx {

  /** The number of idle connections to the destination per worker. */
  private static final int IDLE_CONNECTIONS = 256;

  private Nginx() {}

  /**
   * Starts the baseline, a proxy that forwards plain HTTP over verified TLS, and returns its URL.
   */
  public static String startProxy(Workspace workspace, Destination destination) {
    int port = Ports.free(1).get(0);
    String servers = proxy(port, destination.port(), destination.authority());
    start("nginx-proxy", workspace, servers, port);
    return "http://127.0.0.1:" + port;
  }

  private static String proxy(int port, int destination, Path authority) {
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
        .formatted(
            destination, IDLE_CONNECTIONS, port, Destination.HOST, Destination.HOST, authority);
  }

  /**
   * Starts an nginx and waits until it listens.
   *
   * @param servers the content of the {@code http} block
   */
  static void start(String name, Workspace workspace, String servers, int port) {
    Path prefix = workspace.directory(name);
    Path configuration = workspace.file(name + "/nginx.conf", configuration(servers));
    RunningProgram program =
        RunningProgram.start(
            name,
            workspace.directory(),
            Map.of(),
            Tool.NGINX.command("-p", prefix, "-e", "error.log", "-c", configuration));
    workspace.closeLater(program);
    while (!Ports.accepts(port)) {
      if (!program.isAlive()) {
        throw new IllegalStateException("nginx exited:\n" + program.output());
      }
      RunningProgram.pause(RunningProgram.POLL_INTERVAL_MILLIS);
    }
  }

  private static String configuration(String servers) {
    return """
    daemon off;
    pid nginx.pid;
    user %s;
    worker_processes auto;
    worker_rlimit_nofile 65536;
    error_log error.log warn;
    events { worker_connections 8192; }
    http {
      access_log off;
      client_body_temp_path body;
      proxy_temp_path proxy;
      fastcgi_temp_path fastcgi;
      uwsgi_temp_path uwsgi;
      scgi_temp_path scgi;
      keepalive_timeout 600s;
      keepalive_requests 100000000;
      tcp_nodelay on;
    %s}
    """
        .formatted(System.getProperty("user.name"), servers);
  }
}
