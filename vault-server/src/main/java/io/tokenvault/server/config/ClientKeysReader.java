package io.tokenvault.server.config;

import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.server.config.Configuration.ClientKeys;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads the keystore with the certificates that proxies may show to destinations. */
final class ClientKeysReader {

  /** A name, or the id of a tenant, a slash and a name. */
  private static final Pattern ALIAS =
      Pattern.compile(
          "(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/)?[^/]{1,200}",
          Pattern.CASE_INSENSITIVE);

  private final SettingValues values;

  ClientKeysReader(SettingValues values) {
    this.values = values;
  }

  /** Empty if there is none, or none that can be used. */
  Optional<ClientKeys> read() {
    Optional<Path> file = values.readableFile(Setting.EGRESS_KEYSTORE_FILE);
    Optional<SensitiveValue> password = values.secret(Setting.EGRESS_KEYSTORE_PASSWORD);
    if (file.isPresent() && password.isEmpty()) {
      values.problem(Setting.EGRESS_KEYSTORE_PASSWORD, "is needed where a keystore is given");
    }
    if (file.isEmpty() && password.isPresent()) {
      values.problem(Setting.EGRESS_KEYSTORE_FILE, "is needed where its password is given");
    }
    return file.filter(Files::isRegularFile)
        .flatMap(path -> password.flatMap(secret -> open(path, secret)));
  }

  /** The aliases of the private keys. */
  static Set<String> names(ClientKeys keys) {
    try {
      return Collections.list(keys.store().aliases()).stream()
          .filter(alias -> isKey(keys.store(), alias))
          .collect(Collectors.toSet());
    } catch (KeyStoreException notLoaded) {
      throw new IllegalStateException(notLoaded);
    }
  }

  private static boolean isKey(KeyStore store, String alias) {
    try {
      return store.isKeyEntry(alias);
    } catch (KeyStoreException notLoaded) {
      throw new IllegalStateException(notLoaded);
    }
  }

  private Optional<ClientKeys> open(Path file, SensitiveValue password) {
    char[] characters = characters(password);
    try {
      KeyStore store = KeyStore.getInstance(file.toFile(), characters);
      ClientKeys keys = new ClientKeys(store, password);
      for (String alias : names(keys)) {
        check(store, alias, characters);
      }
      if (names(keys).isEmpty()) {
        values.problem(Setting.EGRESS_KEYSTORE_FILE, "names a keystore without private keys");
      }
      return Optional.of(keys);
    } catch (IOException | GeneralSecurityException | IllegalArgumentException unusable) {
      values.problem(
          Setting.EGRESS_KEYSTORE_FILE,
          "names no keystore (PKCS12 or JKS) that the password opens with all its keys");
      return Optional.empty();
    }
  }

  private void check(KeyStore store, String alias, char[] password)
      throws GeneralSecurityException {
    store.getKey(alias, password);
    if (!ALIAS.matcher(alias).matches()) {
      values.problem(
          Setting.EGRESS_KEYSTORE_FILE,
          "must name a keystore whose aliases are NAME or TENANT_ID/NAME; not one: " + alias);
    }
  }

  private static char[] characters(SensitiveValue password) {
    CharBuffer decoded = StandardCharsets.UTF_8.decode(ByteBuffer.wrap(password.open()));
    char[] characters = new char[decoded.remaining()];
    decoded.get(characters);
    return characters;
  }
}
