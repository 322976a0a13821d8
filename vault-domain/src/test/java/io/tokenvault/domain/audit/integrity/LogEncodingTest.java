package io.tokenvault.domain.audit.integrity;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.audit.EntryContent;
import io.tokenvault.domain.tenant.TenantId;
import java.time.Instant;
import java.time.YearMonth;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Pins the encodings, since stored MACs, chain links and checkpoints depend on every byte. */
final class LogEncodingTest {

  private static final UUID ID = new UUID(1, 2);
  private static final TenantId TENANT = new TenantId(new UUID(3, 4));
  private static final Instant TIME = Instant.ofEpochSecond(5, 6_000);
  private static final EntryPlace PLACE = new EntryPlace(TIME, 7);
  private static final LogHash HASH = new LogHash(new byte[32]);
  private static final EntryContent CONTENT =
      new EntryContent(
          TENANT,
          Optional.of(new UUID(8, 9)),
          Optional.of("a"),
          "t",
          "\u20ac",
          "o",
          "m",
          Optional.empty());

  @Test
  void entryEncodingIsStable() {
    assertThat(hex(LogEncoding.entry(ID, CONTENT)))
        .isEqualTo(
            "000000180074006f006b0065006e002d007600610075006c00740020006c006f006700200065"
                + "006e007400720079002000760031000000000000000100000000000000020000000000000003"
                + "0000000000000004010000000000000008000000000000000901000000010061000000010074"
                + "0000000120ac00000001006f00000001006d");
  }

  @Test
  void rowEncodingIsStable() {
    StoredEntry marked =
        new StoredEntry(
            PLACE, CONTENT, Optional.of(new EntryMark(ID, new LogTag(10, new byte[] {11}))));
    assertThat(hex(LogEncoding.row(marked)))
        .isEqualTo(
            "000000160074006f006b0065006e002d007600610075006c00740020006c006f006700200072"
                + "006f007700200076003100000000000000050000177000000000000000070100000000000000"
                + "0100000000000000020000000a000000010b0000000000000003000000000000000401000000"
                + "00000000080000000000000009010000000100610000000100740000000120ac00000001006f"
                + "00000001006d");
  }

  @Test
  void chainLinkEncodingIsStable() {
    assertThat(hex(LogEncoding.chainLink(TENANT, 12, List.of(PLACE), HASH)))
        .isEqualTo(
            "000000170074006f006b0065006e002d007600610075006c00740020006c006f006700200073"
                + "00650061006c00200076003100000000000000030000000000000004000000000000000c0000"
                + "0001000000000000000500001770000000000000000700000020000000000000000000000000"
                + "0000000000000000000000000000000000000000");
  }

  @Test
  void dropEncodingIsStable() {
    assertThat(hex(LogEncoding.drop(YearMonth.of(2026, 11), 13, TIME)))
        .isEqualTo(
            "000000170074006f006b0065006e002d007600610075006c00740020006c006f006700200064"
                + "0072006f0070002000760031000007ea0000000b000000000000000d00000000000000050000"
                + "1770");
  }

  @Test
  void checkpointEncodingIsStable() {
    assertThat(
            hex(
                LogEncoding.checkpoint(
                    ID, 14, TIME, HASH, 15, List.of(new ChainEnd(TENANT, 16, HASH)))))
        .isEqualTo(
            "0000001d0074006f006b0065006e002d007600610075006c00740020006c006f006700200063"
                + "006800650063006b0070006f0069006e00740020007600310000000000000001000000000000"
                + "0002000000000000000e00000000000000050000177000000020000000000000000000000000"
                + "00000000000000000000000000000000000000000000000f0000000100000000000000030000"
                + "0000000000040000000000000010000000200000000000000000000000000000000000000000"
                + "000000000000000000000000");
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
