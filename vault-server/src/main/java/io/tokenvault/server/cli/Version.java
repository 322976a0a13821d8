package io.tokenvault.server.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The version from the jar's manifest. */
final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() {
    return new String[] {
      "vault-server "
          + Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
              .orElse("(development)")
    };
  }
}
