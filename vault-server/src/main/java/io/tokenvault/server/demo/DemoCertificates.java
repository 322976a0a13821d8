package io.tokenvault.server.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A certificate authority and a certificate for one host, created by {@code keytool} of the JDK.
 *
 * <p>They are created at each start of the demo and are valid for seven days. The private key of
 * the authority is in a keystore with a random password that is kept in memory only.
 */
final class DemoCertificates {

  private static final String PASSWORD_VARIABLE = "DEMO_KEYSTORE_PASSWORD";
  private static final String DAYS = "7";
  private static final long KEYTOOL_SECONDS = 60;
  private static final int PASSWORD_BYTES = 16;

  private final Path keyStore;
  private final Path authority;
  private final String password;

  private DemoCertificates(Path directory, String password) {
    this.keyStore = directory.resolve("demo-destination.p12");
    this.authority = directory.resolve("demo-ca.pem");
    this.password = password;
  }

  /**
   * Creates the certificates in a directory, replacing those of an earlier start.
   *
   * @param host the DNS name in the certificate of the destination
   * @throws IOException if {@code keytool} fails or is missing in this JDK
   */
  static DemoCertificates make(Path directory, String host, SecureRandom randomness)
      throws IOException {
    byte[] bytes = new byte[PASSWORD_BYTES];
    randomness.nextBytes(bytes);
    DemoCertificates made = new DemoCertificates(directory, HexFormat.of().formatHex(bytes));
    Files.deleteIfExists(made.keyStore);
    made.keyPair("ca", "CN=Token Vault demo CA", "bc:critical=ca:true");
    made.keyPair("destination", "CN=" + host, "san=dns:" + host, "-signer", "ca");
    made.keytool("-exportcert", "-rfc", "-alias", "ca", "-file", made.authority.toString());
    return made;
  }

  /** Creates a key pair on the curve P-256 and its certificate. */
  private void keyPair(String alias, String name, String extension, String... more)
      throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of("-genkeypair", "-alias", alias, "-dname", name, "-ext", extension));
    arguments.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1", "-validity", DAYS));
    arguments.addAll(List.of(more));
    keytool(arguments.toArray(String[]::new));
  }

  /**
   * Runs {@code keytool}. The password is passed in the environment, because other users can see
   * arguments.
   */
  private void keytool(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    command.addAll(List.of("-keystore", keyStore.toString(), "-storetype", "PKCS12"));
    command.addAll(List.of("-storepass:env", PASSWORD_VARIABLE));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put(PASSWORD_VARIABLE, password);
    await(builder.start());
  }

  /**
   * Waits up to a minute for {@code keytool}.
   *
   * @throws IOException if it fails or takes longer
   */
  private static void await(Process keytool) throws IOException {
    try {
      if (!keytool.waitFor(KEYTOOL_SECONDS, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
        keytool.destroyForcibly();
        throw new IOException("keytool of this JDK could not make a certificate");
      }
    } catch (InterruptedException interrupted) {
      keytool.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while making a certificate", interrupted);
    }
  }

  /** Returns the certificate of the authority, as a PEM file. */
  Path authority() {
    return authority;
  }

  /** Returns the TLS context of the destination, without the key of the authority. */
  SSLContext serverContext() throws IOException {
    try (InputStream in = Files.newInputStream(keyStore)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(in, password.toCharArray());
      keys.deleteEntry("ca");
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(keys, password.toCharArray());
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(factory.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException failed) {
      throw new IOException("cannot use the certificate that was made", failed);
    }
  }
}
