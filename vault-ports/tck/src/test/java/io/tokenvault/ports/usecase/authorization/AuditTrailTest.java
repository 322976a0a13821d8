package io.tokenvault.ports.usecase.authorization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.EntryContent;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.usecase.authorization.AuditTrail.CurrentTrace;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class AuditTrailTest {

  private static final TenantId TENANT = new TenantId(UUID.randomUUID());

  @AfterEach
  void clearTrace() {
    CurrentTrace.clear();
  }

  private static AuditEntry entry() {
    return AuditTrail.systemEntry(TENANT, EntityType.PROXY, "1", Operation.READ, "m");
  }

  @Test
  void entryCarriesTraceIdOfItsThreadOnly() throws InterruptedException {
    CurrentTrace.set(Optional.of("trace"));
    AuditEntry[] ofOther = new AuditEntry[1];
    Thread other = new Thread(() -> ofOther[0] = entry());
    other.start();
    other.join();

    assertThat(entry().traceId()).contains("trace");
    assertThat(EntryContent.of(entry()).traceId()).contains("trace");
    assertThat(ofOther[0].traceId()).isEmpty();
    CurrentTrace.clear();
    assertThat(entry().traceId()).isEmpty();
  }

  @Test
  void longTraceIdIsRejected() {
    CurrentTrace.set(Optional.of("x".repeat(AuditEntry.MAX_TRACE_ID_LENGTH + 1)));

    assertThatThrownBy(AuditTrailTest::entry).isInstanceOf(IllegalArgumentException.class);
  }
}
