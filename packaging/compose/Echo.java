import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** An HTTPS server that returns the body of each request: {@code java Echo.java PORT KEYSTORE}. */
public class Echo {

  public static void main(String[] args) throws Exception {
    HttpsServer server = HttpsServer.create(new InetSocketAddress(Integer.parseInt(args[0])), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls(Path.of(args[1]))));
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext(
        "/",
        exchange -> {
          byte[] body = exchange.getRequestBody().readAllBytes();
          List<String> type = exchange.getRequestHeaders().get("Content-Type");
          if (type != null) {
            exchange.getResponseHeaders().put("Content-Type", type);
          }
          exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  private static SSLContext tls(Path file) throws Exception {
    char[] password = "changeit".toCharArray();
    KeyStore keystore = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keystore.load(in, password);
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(keystore, password);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(keys.getKeyManagers(), null, null);
    return tls;
  }
}
