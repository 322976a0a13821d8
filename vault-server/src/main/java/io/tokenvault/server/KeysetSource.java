package io.tokenvault.server;

import io.tokenvault.server.config.Setting;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/** The master keyset, which encrypts the keys of all tenants. */
public final class KeysetSource {

  static final Set<Setting> SETTINGS = Set.of(Setting.MASTER_KEYSET_FILE, Setting.MASTER_KEY_URI);

  private final Map<Setting, String> settings;

  private KeysetSource(Map<Setting, String> settings) {
    this.settings = Map.copyOf(settings);
  }

  /**
   * Returns the keyset in a file that only its owner can read, as {@code keys init} creates it. A
   * changed file is loaded while the vault runs.
   */
  public static KeysetSource file(Path path) {
    return new KeysetSource(Map.of(Setting.MASTER_KEYSET_FILE, path.toString()));
  }

  /**
   * Returns this keyset, encrypted by a key of AWS KMS. The AWS SDK ({@code
   * software.amazon.awssdk:kms} and {@code url-connection-client}) has to be on the class path.
   *
   * @param uri {@code aws-kms://} followed by the ARN of the key
   */
  public KeysetSource encryptedBy(String uri) {
    Map<Setting, String> all = new EnumMap<>(settings);
    all.put(Setting.MASTER_KEY_URI, uri);
    return new KeysetSource(all);
  }

  Map<Setting, String> settings() {
    return settings;
  }
}
