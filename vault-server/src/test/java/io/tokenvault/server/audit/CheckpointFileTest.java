package io.tokenvault.server.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.audit.integrity.ChainEnd;
import io.tokenvault.domain.audit.integrity.Checkpoint;
import io.tokenvault.domain.audit.integrity.LogHash;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.CheckpointSink;
import io.tokenvault.ports.audit.HashChainStore;
import io.tokenvault.ports.crypto.CheckpointKeys;
import io.tokenvault.ports.usecase.audit.WriteCheckpoints;
import io.tokenvault.server.config.OperatorException;
import io.tokenvault.server.crypto.KeysetProtection;
import io.tokenvault.server.crypto.MasterKeyset;
import io.tokenvault.server.crypto.TinkLogKeys;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that written checkpoints are read, and that changes of their file are reported. */
final class CheckpointFileTest {

  private static final Instant TIME = Instant.parse("2026-01-02T03:04:05.678901Z");

  @TempDir Path directory;

  private CheckpointKeys keys;

  private final GrowingChains chains = new GrowingChains();
  private final List<String> problems = new ArrayList<>();

  @BeforeEach
  void createKeys() {
    Path file = directory.resolve("keyset.json");
    keys = new TinkLogKeys(MasterKeyset.create(file, KeysetProtection.clear()));
  }

  private List<String> writtenLines() throws IOException {
    Path file = directory.resolve("checkpoints");
    WriteCheckpoints writer =
        new WriteCheckpoints(chains, keys, CheckpointLine.file(file), UUID.randomUUID());
    writer.run();
    writer.run();
    for (int i = 0; i < 3; i++) {
      chains.grow();
      writer.run();
    }
    return new ArrayList<>(Files.readAllLines(file));
  }

  private List<String> problemsIn(List<String> lines) {
    problems.clear();
    var unused =
        new CheckpointFile(keys, Optional.empty(), problems::add)
            .read(new StringReader(String.join("\n", lines)));
    return problems;
  }

  @Test
  void onlyGrownLogsAreWrittenAndFileIsValid() throws IOException {
    List<String> lines = writtenLines();
    assertThat(lines).hasSize(4);
    assertThat(CheckpointLine.read(lines.get(0)).orElseThrow().ends()).hasSize(2);
    assertThat(CheckpointLine.read(lines.get(1)).orElseThrow().ends()).hasSize(1);
    assertThat(problemsIn(lines)).isEmpty();
  }

  @Test
  void fileIsAccessibleOnlyToItsOwner() throws IOException {
    assertThat(writtenLines()).isNotEmpty();
    assertThat(Files.getPosixFilePermissions(directory.resolve("checkpoints"))).hasSize(2);
  }

  @Test
  void partialLineIsSkippedAndNextStartsOnNewLine() throws IOException {
    Path file = directory.resolve("torn");
    Files.writeString(file, "{\"log\":\"audit-check");
    new WriteCheckpoints(chains, keys, CheckpointLine.file(file), UUID.randomUUID()).run();
    assertThat(Files.readAllLines(file)).hasSize(2);
    assertThat(problemsIn(Files.readAllLines(file))).isEmpty();
  }

  @Test
  void linesOfSeveralWritersMayMix() throws IOException {
    List<String> lines = writtenLines();
    Files.delete(directory.resolve("checkpoints"));
    lines.addAll(2, writtenLines().subList(0, 1));
    lines.add(1, "a line of something else");
    assertThat(problemsIn(lines)).isEmpty();
  }

  @Test
  void missingMiddleLineIsReported() throws IOException {
    List<String> lines = writtenLines();
    lines.remove(1);
    assertThat(problemsIn(lines)).containsExactly("line 2: the previous checkpoint is missing");
  }

  @Test
  void duplicateLinesAreSkipped() throws IOException {
    List<String> lines = writtenLines();
    lines.add(2, lines.get(1));
    lines.addAll(List.copyOf(lines));
    assertThat(problemsIn(lines)).isEmpty();
  }

  @Test
  void verificationFailsWithoutCheckpointOfGivenTime() throws IOException {
    List<String> lines = writtenLines();
    CheckpointFile file = new CheckpointFile(keys, Optional.of(TIME.minusSeconds(1)), unused -> {});
    assertThatThrownBy(() -> file.read(new StringReader(String.join("\n", lines))))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("--as-of");
  }

  @Test
  void changedLineHasInvalidSignature() throws IOException {
    List<String> lines = writtenLines();
    lines.set(3, lines.get(3).replace("\"tenants\":2", "\"tenants\":3"));
    assertThat(problemsIn(lines))
        .containsExactly("line 4: invalid signature; this vault did not sign" + " the checkpoint");
  }

  @Test
  void lineWithNumberOutOfRangeIsSkipped() throws IOException {
    List<String> lines = writtenLines();
    lines.set(3, lines.get(3).replace("\"tenants\":2", "\"tenants\":3000000000"));
    assertThat(problemsIn(lines)).isEmpty();
  }

  @Test
  void verificationFailsWithoutAnyCheckpoint() {
    assertThatThrownBy(() -> problemsIn(List.of("{}", "text")))
        .isInstanceOf(OperatorException.class);
  }

  @Test
  void unwrittenCheckpointIsWrittenByNextRun() throws IOException {
    Path file = directory.resolve("missing").resolve("checkpoints");
    WriteCheckpoints writer =
        new WriteCheckpoints(chains, keys, CheckpointLine.file(file), UUID.randomUUID());
    assertThatThrownBy(writer::run).isInstanceOf(UncheckedIOException.class);
    Files.createDirectory(file.getParent());
    writer.run();
    Checkpoint first = CheckpointLine.read(Files.readString(file).strip()).orElseThrow();
    assertThat(first.number()).isEqualTo(1);
    assertThat(first.ends()).hasSize(2);
    assertThat(first.time()).isEqualTo(TIME);
  }

  @Test
  void checkpointThatFailedAfterItsLineIsWrittenAgainUnchanged() throws IOException {
    Path file = directory.resolve("checkpoints");
    CheckpointSink sink = CheckpointLine.file(file);
    AtomicBoolean isDurable = new AtomicBoolean();
    WriteCheckpoints writer =
        new WriteCheckpoints(
            chains,
            keys,
            checkpoint -> {
              sink.write(checkpoint);
              if (!isDurable.getAndSet(true)) {
                throw new UncheckedIOException(new IOException("not on the disk"));
              }
            },
            UUID.randomUUID());
    assertThatThrownBy(writer::run).isInstanceOf(UncheckedIOException.class);

    chains.grow();
    writer.run();

    List<String> lines = Files.readAllLines(file);
    assertThat(lines).hasSize(3).element(1).isEqualTo(lines.get(0));
    assertThat(problemsIn(lines)).isEmpty();
  }

  /** Two chains, of which the second grows. */
  private static final class GrowingChains implements HashChainStore {
    private final TenantId first = new TenantId(new UUID(0, 1));
    private final TenantId second = new TenantId(new UUID(0, 2));
    private long number = 1;

    void grow() {
      number++;
    }

    @Override
    public OptionalInt extend(int limit, Linker linker) {
      return OptionalInt.empty();
    }

    @Override
    public Set<TenantId> tenants() {
      return Set.of(first, second);
    }

    @Override
    public Ends ends() {
      byte[] head = new byte[LogHash.BYTES];
      head[0] = (byte) number;
      return new Ends(
          TIME,
          List.of(
              new ChainEnd(first, 1, LogHash.NONE),
              new ChainEnd(second, number, new LogHash(head))));
    }
  }
}
