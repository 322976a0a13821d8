package io.tokenvault.server.e2e.guarantee;

import java.util.Arrays;
import java.util.List;

/**
 * A permission, copied from the specification to compare it with the vault's.
 *
 * @param types the application types that may have it
 */
public record PermissionCatalog(String permission, String description, List<String> types) {

  public static final List<String> APPLICATION_TYPES =
      List.of("private", "public", "management", "expiring");

  public static final List<PermissionCatalog> PERMISSIONS =
      """
      token:create | Create tokens | public, private
      token:update | Update tokens | public, private
      token:read | Read tokens | private, expiring
      token:search | Search tokens | private
      token:delete | Delete tokens | private
      token:use | Use tokens in the service's own services (proxy, reactors) | private
      tenant:read | Read tenants | management
      tenant:update | Update tenants | management
      tenant:delete | Delete tenants | management
      application:read | Read applications | management
      application:create | Create applications | management
      application:update | Update applications and regenerate their API keys | management
      application:delete | Delete applications | management
      log:read | Read audit logs | management
      reactor:read | Read reactor formulas and reactors | management
      reactor:create | Create reactor formulas and reactors | management
      reactor:update | Update reactor formulas and reactors | management
      reactor:delete | Delete reactor formulas and reactors | management
      proxy:read | Read proxies | management
      proxy:create | Create proxies | management
      proxy:update | Update proxies | management
      proxy:delete | Delete proxies | management
      tenant:member:read | Read tenant members | management
      tenant:member:update | Update tenant members | management
      tenant:member:delete | Delete tenant members | management
      tenant:invitation:create | Create tenant invitations | management
      tenant:invitation:read | Read tenant invitations | management
      tenant:invitation:update | Update tenant invitations | management
      tenant:invitation:delete | Delete tenant invitations | management
      report:read | Read reports | management
      """
          .lines()
          .map(PermissionCatalog::parse)
          .toList();

  private static PermissionCatalog parse(String line) {
    String[] cells = line.split(" \\| ");
    return new PermissionCatalog(cells[0], cells[1], Arrays.asList(cells[2].split(", ")));
  }

  public boolean isAllowedFor(String applicationType) {
    return types.contains(applicationType);
  }

  public boolean concernsTokens() {
    return permission.startsWith("token:");
  }
}
