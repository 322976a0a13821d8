package io.tokenvault.domain.access;

import static io.tokenvault.domain.access.ApplicationType.EXPIRING;
import static io.tokenvault.domain.access.ApplicationType.MANAGEMENT;
import static io.tokenvault.domain.access.ApplicationType.PRIVATE;
import static io.tokenvault.domain.access.ApplicationType.PUBLIC;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The fixed catalog of permissions, in its published order (interface, section 2). */
public enum Permission {
  TOKEN_CREATE("token:create", "Create tokens", PUBLIC, PRIVATE),
  TOKEN_UPDATE("token:update", "Update tokens", PUBLIC, PRIVATE),
  TOKEN_READ("token:read", "Read tokens", PRIVATE, EXPIRING),
  TOKEN_SEARCH("token:search", "Search tokens", PRIVATE),
  TOKEN_DELETE("token:delete", "Delete tokens", PRIVATE),
  TOKEN_USE("token:use", "Use tokens in the service's own services (proxy, reactors)", PRIVATE),
  TENANT_READ("tenant:read", "Read tenants", MANAGEMENT),
  TENANT_UPDATE("tenant:update", "Update tenants", MANAGEMENT),
  TENANT_DELETE("tenant:delete", "Delete tenants", MANAGEMENT),
  APPLICATION_READ("application:read", "Read applications", MANAGEMENT),
  APPLICATION_CREATE("application:create", "Create applications", MANAGEMENT),
  APPLICATION_UPDATE(
      "application:update", "Update applications and regenerate their API keys", MANAGEMENT),
  APPLICATION_DELETE("application:delete", "Delete applications", MANAGEMENT),
  LOG_READ("log:read", "Read audit logs", MANAGEMENT),
  REACTOR_READ("reactor:read", "Read reactor formulas and reactors", MANAGEMENT),
  REACTOR_CREATE("reactor:create", "Create reactor formulas and reactors", MANAGEMENT),
  REACTOR_UPDATE("reactor:update", "Update reactor formulas and reactors", MANAGEMENT),
  REACTOR_DELETE("reactor:delete", "Delete reactor formulas and reactors", MANAGEMENT),
  PROXY_READ("proxy:read", "Read proxies", MANAGEMENT),
  PROXY_CREATE("proxy:create", "Create proxies", MANAGEMENT),
  PROXY_UPDATE("proxy:update", "Update proxies", MANAGEMENT),
  PROXY_DELETE("proxy:delete", "Delete proxies", MANAGEMENT),
  TENANT_MEMBER_READ("tenant:member:read", "Read tenant members", MANAGEMENT),
  TENANT_MEMBER_UPDATE("tenant:member:update", "Update tenant members", MANAGEMENT),
  TENANT_MEMBER_DELETE("tenant:member:delete", "Delete tenant members", MANAGEMENT),
  TENANT_INVITATION_CREATE("tenant:invitation:create", "Create tenant invitations", MANAGEMENT),
  TENANT_INVITATION_READ("tenant:invitation:read", "Read tenant invitations", MANAGEMENT),
  TENANT_INVITATION_UPDATE("tenant:invitation:update", "Update tenant invitations", MANAGEMENT),
  TENANT_INVITATION_DELETE("tenant:invitation:delete", "Delete tenant invitations", MANAGEMENT),
  REPORT_READ("report:read", "Read reports", MANAGEMENT);

  private static final Map<String, Permission> BY_TYPE =
      Arrays.stream(values()).collect(Collectors.toMap(Permission::type, Function.identity()));

  private final String type;
  private final String description;
  private final List<ApplicationType> applicationTypes;

  Permission(String type, String description, ApplicationType... applicationTypes) {
    this.type = type;
    this.description = description;
    this.applicationTypes = List.of(applicationTypes);
  }

  /** Returns the identifier that is granted to applications and required by endpoints. */
  public String type() {
    return type;
  }

  public String description() {
    return description;
  }

  /** Returns the application types that may hold this permission. */
  public List<ApplicationType> applicationTypes() {
    return applicationTypes;
  }

  public boolean mayBeHeldBy(ApplicationType applicationType) {
    return applicationTypes.contains(applicationType);
  }

  /** Returns whether this permission concerns tokens, so that access rules can grant it. */
  public boolean concernsTokens() {
    return ordinal() <= TOKEN_USE.ordinal();
  }

  /**
   * Returns whether a token needs this permission in each of its containers, rather than in one.
   */
  public boolean isNeededInEachContainer() {
    return this == TOKEN_CREATE || this == TOKEN_UPDATE;
  }

  /** Parses an exact identifier; empty for anything else. */
  public static Optional<Permission> of(String type) {
    return Optional.ofNullable(BY_TYPE.get(type));
  }

  /** Returns the permissions that an application of this type may hold, in catalog order. */
  public static List<Permission> heldBy(ApplicationType applicationType) {
    return Arrays.stream(values()).filter(each -> each.mayBeHeldBy(applicationType)).toList();
  }
}
