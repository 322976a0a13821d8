package io.tokenvault.server.config;

import java.util.List;

/** The configuration is wrong; all that is wrong is named, and no secret value is. */
public final class ConfigurationException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public ConfigurationException(List<String> problems) {
    super("The configuration is not valid:\n  " + String.join("\n  ", problems));
  }
}
