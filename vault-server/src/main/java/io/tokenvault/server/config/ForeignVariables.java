package io.tokenvault.server.config;

import java.util.Set;
import java.util.regex.Pattern;

/**
 * Recognizes environment variables of other software whose names start like settings.
 *
 * <p>They belong to the client and the agents of HashiCorp Vault, or are set by Kubernetes in every
 * container for services whose names begin with {@code vault}. All other unknown names with the
 * prefix are problems, since they are probably misspelled settings.
 */
final class ForeignVariables {

  private static final Set<String> OF_HASHICORP_VAULT =
      Set.of(
          "VAULT_ADDR",
          "VAULT_AGENT_ADDR",
          "VAULT_API_ADDR",
          "VAULT_CACERT",
          "VAULT_CACERT_BYTES",
          "VAULT_CAPATH",
          "VAULT_CLIENT_CERT",
          "VAULT_CLIENT_KEY",
          "VAULT_CLIENT_TIMEOUT",
          "VAULT_CLI_NO_COLOR",
          "VAULT_CLUSTER_ADDR",
          "VAULT_CONFIG_PATH",
          "VAULT_DETAILED",
          "VAULT_DISABLE_REDIRECTS",
          "VAULT_FORMAT",
          "VAULT_HEADERS",
          "VAULT_HTTP_PROXY",
          "VAULT_INSECURE",
          "VAULT_K8S_NAMESPACE",
          "VAULT_K8S_POD_NAME",
          "VAULT_LICENSE",
          "VAULT_LICENSE_PATH",
          "VAULT_LOG_LEVEL",
          "VAULT_MAX_RETRIES",
          "VAULT_MFA",
          "VAULT_NAMESPACE",
          "VAULT_PROXY_ADDR",
          "VAULT_RATE_LIMIT",
          "VAULT_REDIRECT_ADDR",
          "VAULT_SKIP_VERIFY",
          "VAULT_SRV_LOOKUP",
          "VAULT_TLS_SERVER_NAME",
          "VAULT_TOKEN",
          "VAULT_UI",
          "VAULT_WRAP_TTL");

  private static final Pattern OF_HASHICORP_VAULTS_STORAGE =
      Pattern.compile("VAULT_RAFT_[A-Z0-9_]+");

  /** Variables of the service {@code vault}, and of others such as {@code vault-ui}. */
  private static final Pattern SERVICE_LINK =
      Pattern.compile(
          "VAULT_(?:[A-Z0-9_]+_)?"
              + "(?:SERVICE_HOST|SERVICE_PORT(?:_[A-Z0-9_]+)?"
              + "|PORT_[0-9]+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)");

  private static final Pattern SERVICE_PORT = Pattern.compile("VAULT_(?:[A-Z0-9_]+_)?PORT");
  private static final Pattern SERVICE_URL = Pattern.compile("(?:tcp|udp|sctp)://.*");

  private ForeignVariables() {}

  /**
   * Returns whether a variable belongs to other software.
   *
   * <p>{@code VAULT_PORT} is a setting, unless its value is the URL of a Kubernetes service.
   */
  static boolean include(String name, String value) {
    return OF_HASHICORP_VAULT.contains(name)
        || OF_HASHICORP_VAULTS_STORAGE.matcher(name).matches()
        || SERVICE_LINK.matcher(name).matches()
        || (SERVICE_PORT.matcher(name).matches() && SERVICE_URL.matcher(value).matches());
  }
}
