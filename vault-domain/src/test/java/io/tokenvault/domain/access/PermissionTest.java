package io.tokenvault.domain.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class PermissionTest {

  /** The table in section 2 of the interface description. */
  private static final String PUBLISHED_TABLE =
      """
      | token:create | Create tokens | public, private |
      | token:update | Update tokens | public, private |
      | token:read | Read tokens | private, expiring |
      | token:search | Search tokens | private |
      | token:delete | Delete tokens | private |
      | token:use | Use tokens in the service's own services (proxy, reactors) | private |
      | tenant:read | Read tenants | management |
      | tenant:update | Update tenants | management |
      | tenant:delete | Delete tenants | management |
      | application:read | Read applications | management |
      | application:create | Create applications | management |
      | application:update | Update applications and regenerate their API keys | management |
      | application:delete | Delete applications | management |
      | log:read | Read audit logs | management |
      | reactor:read | Read reactor formulas and reactors | management |
      | reactor:create | Create reactor formulas and reactors | management |
      | reactor:update | Update reactor formulas and reactors | management |
      | reactor:delete | Delete reactor formulas and reactors | management |
      | proxy:read | Read proxies | management |
      | proxy:create | Create proxies | management |
      | proxy:update | Update proxies | management |
      | proxy:delete | Delete proxies | management |
      | tenant:member:read | Read tenant members | management |
      | tenant:member:update | Update tenant members | management |
      | tenant:member:delete | Delete tenant members | management |
      | tenant:invitation:create | Create tenant invitations | management |
      | tenant:invitation:read | Read tenant invitations | management |
      | tenant:invitation:update | Update tenant invitations | management |
      | tenant:invitation:delete | Delete tenant invitations | management |
      | report:read | Read reports | management |
      """;

  @Test
  void catalogMatchesThePublishedTable() {
    String actual = Arrays.stream(Permission.values()).map(this::row).collect(Collectors.joining());

    assertThat(Permission.values()).hasSize(30);
    assertThat(actual).isEqualTo(PUBLISHED_TABLE);
  }

  private String row(Permission permission) {
    String types =
        permission.applicationTypes().stream()
            .map(ApplicationType::value)
            .collect(Collectors.joining(", "));
    return "| " + permission.type() + " | " + permission.description() + " | " + types + " |\n";
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "token", "TOKEN:READ", "token:read ", "TOKEN_READ", "token:*"})
  void unknownIdentifierIsNoPermission(String identifier) {
    assertThat(Permission.of(identifier)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"PRIVATE, 6", "PUBLIC, 2", "MANAGEMENT, 24", "EXPIRING, 1"})
  void typeHoldsItsPublishedPermissions(ApplicationType type, int count) {
    assertThat(Permission.heldBy(type))
        .hasSize(count)
        .allMatch(permission -> permission.mayBeHeldBy(type))
        .isSorted();
    assertThat(Permission.values())
        .filteredOn(permission -> permission.mayBeHeldBy(type))
        .hasSize(count);
  }

  @Test
  void onlyTokenPermissionsConcernTokens() {
    assertThat(Permission.values())
        .allMatch(each -> each.concernsTokens() == each.type().startsWith("token:"))
        .filteredOn(Permission::concernsTokens)
        .hasSize(6);
  }

  @Test
  void applicationTypesAreTheFourExactValues() {
    assertThat(ApplicationType.values())
        .extracting(ApplicationType::value)
        .containsExactly("private", "public", "management", "expiring");
    assertThat(ApplicationType.choices()).isEqualTo("private, public, management, expiring");
  }

  @Test
  void applicationTypeIsFoundOnlyByExactValue() {
    assertThat(ApplicationType.of("expiring")).contains(ApplicationType.EXPIRING);
    assertThat(List.of("Expiring", "EXPIRING", "", "expiring "))
        .allMatch(value -> ApplicationType.of(value).isEmpty());
    assertThat(ApplicationType.of(null)).isEmpty();
  }
}
