package io.tokenvault.server.config;

import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.server.config.Configuration.ClientKeys;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStore.PrivateKeyEntry;
import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads the keystore with the client certificates that proxies may present to destinations.
 *
 * <p>The keystore is opened once, at the start: a wrong password, a key that cannot be decrypted or
 * an invalid alias is a problem of the configuration.
 */
final class ClientKeysReader {

  /** Aliases of private keys: a name, or the id of a tenant, a slash and a name. */
  private static final Pattern ALIAS =
      Pattern.compile(
          "(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/)?[^/]{1,200}",
          Pattern.CASE_INSENSITIVE);

  private final SettingValues values;

  ClientKeysReader(SettingValues values) {
    this.values = values;
  }

  /** Returns the keystore; empty if none is configured or it cannot be used. */
  Optional<ClientKeys> read() {
    Optional<Path> file = values.readableFile(Setting.EGRESS_KEYSTORE_FILE);
    Optional<SensitiveValue> password = values.secret(Setting.EGRESS_KEYSTORE_PASSWORD);
    if (file.isPresent() && password.isEmpty()) {
      values.problem(Setting.EGRESS_KEYSTORE_PASSWORD, "is needed where a keystore is given");
    }
    if (file.isEmpty() && password.isPresent()) {
      values.problem(Setting.EGRESS_KEYSTORE_FILE, "is needed where its password is given");
    }
    return file.filter(Files::isReadable)
        .flatMap(path -> password.flatMap(secret -> open(path, secret)));
  }

  /** Opens the keystore and decrypts every private key in it once. */
  private Optional<ClientKeys> open(Path file, SensitiveValue password) {
    char[] characters = new String(password.open(), StandardCharsets.UTF_8).toCharArray();
    try {
      KeyStore store = KeyStore.getInstance(file.toFile(), characters);
      Set<String> names = new HashSet<>();
      for (String alias : Collections.list(store.aliases())) {
        if (store.entryInstanceOf(alias, PrivateKeyEntry.class)) {
          store.getKey(alias, characters);
          names.add(alias);
        }
      }
      check(names);
      return Optional.of(new ClientKeys(store, password, names));
    } catch (IOException | GeneralSecurityException | IllegalArgumentException unusable) {
      // An IllegalArgumentException is thrown for a directory or a device.
      values.problem(
          Setting.EGRESS_KEYSTORE_FILE,
          "names no keystore (PKCS12 or JKS) that the password opens with all its keys");
      return Optional.empty();
    }
  }

  /** Adds a problem for each alias that does not match, and for a keystore without private keys. */
  private void check(Set<String> names) {
    if (names.isEmpty()) {
      values.problem(Setting.EGRESS_KEYSTORE_FILE, "names a keystore without private keys");
    }
    names.stream()
        .filter(alias -> !ALIAS.matcher(alias).matches())
        .forEach(
            alias ->
                values.problem(
                    Setting.EGRESS_KEYSTORE_FILE,
                    "must name a keystore whose aliases are NAME or TENANT_ID/NAME; not one: "
                        + alias));
  }
}
