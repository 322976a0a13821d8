package io.tokenvault.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A small file system in memory, as the place of a table, with no byte left. Needs root. */
final class FullDisk implements AutoCloseable {

  private static final String PARTITION =
      """
      SELECT c.oid::regclass FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
      WHERE inhparent = 'audit_entry'::regclass AND EXISTS (
        SELECT 1 FROM audit_entry e WHERE e.tableoid = c.oid) LIMIT 1
      """;

  private final FaultyVault faulty;
  private final Path directory;
  private final String partition;

  private FullDisk(FaultyVault faulty, Path directory, String partition) {
    this.faulty = faulty;
    this.directory = directory;
    this.partition = partition;
  }

  /** Moves the present partition of the log to a disk that is full. */
  static FullDisk ofAuditLog(FaultyVault faulty) {
    try {
      Path directory = Files.createTempDirectory(Path.of("/dev/shm"), "vault-disk-");
      FullDisk disk = new FullDisk(faulty, directory, faulty.asOwner(PARTITION).get(0));
      assumeThat(run("mount", "-t", "tmpfs", "-o", "size=16m,mode=0777", "tmpfs", directory))
          .as("the right to mount a tmpfs, without which this is not tested")
          .isZero();
      disk.moveAndFill();
      return disk;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private void moveAndFill() throws IOException {
    faulty.asOwner("CREATE TABLESPACE small LOCATION '" + directory + "'");
    faulty.asOwner("ALTER TABLE " + partition + " SET TABLESPACE small");
    // Or else reading would make room of what was rolled back.
    faulty.asOwner("VACUUM " + partition);
    fill();
    takeWhatPagesHaveLeft();
  }

  private void fill() throws IOException {
    byte[] block = new byte[4096];
    try (var out = Files.newOutputStream(directory.resolve("filler"))) {
      while (true) {
        out.write(block);
      }
    } catch (IOException full) {
      assertThat(Files.size(directory.resolve("filler"))).isPositive();
    }
  }

  /** Pages that the table and its indexes have already still take small rows. */
  private void takeWhatPagesHaveLeft() {
    faulty.asOwner(
        """
        DO $$
        DECLARE failed integer := 0;
        BEGIN
          WHILE failed < 200 LOOP
            BEGIN
              INSERT INTO audit_entry (
                tenant_id, created_at, actor_type, entity_type, entity_id, operation, message)
              VALUES (gen_random_uuid(), clock_timestamp(), '', '', '', '', '');
              failed := 0;
            EXCEPTION WHEN disk_full THEN
              failed := failed + 1;
            END;
          END LOOP;
        END $$
        """);
  }

  @Override
  public void close() throws IOException {
    Files.delete(directory.resolve("filler"));
    faulty.asOwner("ALTER TABLE " + partition + " SET TABLESPACE pg_default");
    faulty.asOwner("DROP TABLESPACE small");
    assertThat(run("umount", directory)).isZero();
    Files.delete(directory);
  }

  private static int run(Object... command) {
    try {
      return new ProcessBuilder(List.of(command).stream().map(Object::toString).toList())
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException missing) {
      return -1;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }
}
