package example.boot;

import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.proxy.ProxyDraft;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.ports.usecase.proxy.ProxyView;
import io.tokenvault.server.Http;
import io.tokenvault.server.Vault;
import java.nio.file.Path;
import java.util.Map;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Starts a vault in an executable jar, saves a proxy with a transform, and exits. */
@SpringBootApplication
public class VaultApplication {

  public static void main(String[] arguments) {
    SpringApplication.run(VaultApplication.class, arguments).close();
  }

  /** Starts the vault; Spring closes it. */
  @Bean
  Vault vault(@Value("${vault.directory}") Path directory) {
    return Vault.builder().embedded(directory).http(Http.on("127.0.0.1", 0)).start();
  }

  /** Saves a proxy, which compiles its transform in a worker process. */
  @Bean
  ApplicationRunner proxy(Vault vault) {
    return (ApplicationArguments unused) -> {
      ApiKey management = vault.tenants().create(new ResourceName("Shop")).key();
      ProxyDraft draft =
          new ProxyDraft(
              "Payments",
              "https://payments.example.com/charges",
              null,
              null,
              null,
              null,
              null,
              Map.of(TransformKind.REQUEST, "module.exports = async (req) => req;"));
      ProxyView proxy =
          vault.proxies().create(vault.authenticate(management), draft, new Violations());
      System.out.println("Saved proxy " + proxy.proxy().id() + ", served at " + vault.url());
    };
  }
}
