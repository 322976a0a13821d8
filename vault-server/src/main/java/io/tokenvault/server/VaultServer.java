package io.tokenvault.server;

import io.tokenvault.server.cli.RootCommand;
import java.security.SecureRandom;

/** The program: {@code java -jar vault-server.jar COMMAND}. */
public final class VaultServer {

  private VaultServer() {}

  public static void main(String[] arguments) {
    System.exit(RootCommand.run(System.getenv(), new SecureRandom(), arguments));
  }
}
