package io.tokenvault.domain.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenType;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class AuditEntryTest {

  @Test
  void messageHasAtMost250Characters() {
    assertThat(entry("x".repeat(250)).message()).hasSize(250);
    assertThatThrownBy(() -> entry("x".repeat(251)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("xx");
  }

  private static AuditEntry entry(String message) {
    return new AuditEntry(
        new TenantId(new UUID(1, 1)),
        Actor.system(),
        EntityType.LOG,
        AuditEntry.ALL_ENTITIES,
        Operation.SEARCH,
        message,
        Optional.empty());
  }

  @Test
  void actorsAreApplicationsSystemOrAnonymous() {
    UUID id = new UUID(1, 2);

    assertThat(Actor.application(new ApplicationId(id)).id()).contains(id);
    assertThat(Actor.application(new ApplicationId(id)).type()).contains("application");
    assertThat(Actor.system().id()).isEmpty();
    assertThat(Actor.system().type()).contains("system");
    assertThat(Actor.anonymous().id()).isEmpty();
    assertThat(Actor.anonymous().type()).isEmpty();
  }

  @Test
  void operationsHaveTheirPublishedValues() {
    assertThat(Operation.values())
        .extracting(Operation::value)
        .containsExactly(
            "create read update delete use invoke regenerate search unknown".split(" "));
  }

  @Test
  void entityTypesAreOrderedByDisplayName() {
    assertThat(EntityType.all())
        .extracting(EntityType::displayName)
        .containsExactly(
            ("Application, Bank, Card, Card Number, Employer ID Number, Log, Proxy, "
                    + "Social Security Number, Tenant, Token, US Bank Account Number, "
                    + "US Bank Routing Number")
                .split(", "));
  }

  @Test
  void tokenAppearsUnderItsOwnType() {
    List<String> values = EntityType.all().stream().map(EntityType::value).toList();
    for (TokenType type : TokenType.values()) {
      assertThat(EntityType.of(type).value()).isEqualTo(type.value()).isIn(values);
    }
    assertThat(values).contains("application", "log", "proxy", "tenant").doesNotHaveDuplicates();
  }
}
