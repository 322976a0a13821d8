package io.tokenvault.server.backup;

import io.tokenvault.ports.crypto.LogKeys;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Writes backup files that are authenticated by the keyset.
 *
 * <p>The writer does not encrypt: sensitive fields in the database are encrypted already. {@link
 * BackupFile} reads its files.
 *
 * <pre>{@code
 * new BackupWriter(keys, randomness).write(out, stores::writeSnapshot);
 * }</pre>
 */
public final class BackupWriter {

  private final LogKeys keys;
  private final RandomGenerator randomness;

  public BackupWriter(LogKeys keys, RandomGenerator randomness) {
    this.keys = keys;
    this.randomness = randomness;
  }

  /**
   * Writes a backup.
   *
   * @param target receives the file and is not closed
   * @param content writes the content to the stream that it receives and does not close it
   * @throws IOException if the target fails
   */
  public void write(OutputStream target, Consumer<OutputStream> content) throws IOException {
    Watched watched = new Watched(target);
    DigestOutputStream out = new DigestOutputStream(watched, BackupFormat.digest());
    byte[] name = new byte[BackupFormat.NAME_BYTES];
    randomness.nextBytes(name);
    out.write(BackupFormat.MARK);
    out.write(name);
    BackupFormat.write(keys.authenticate(LogKeys.Use.BACKUP, BackupFormat.start(name)), out);
    try {
      content.accept(out);
    } catch (RuntimeException failed) {
      watched.requireWritten();
      throw failed;
    }
    byte[] whole = BackupFormat.whole(out.getMessageDigest().digest());
    BackupFormat.write(keys.authenticate(LogKeys.Use.BACKUP, whole), target);
  }

  /**
   * Stores a failure of the target, since a database whose copy is interrupted may report it as its
   * failure.
   */
  private static final class Watched extends FilterOutputStream {

    private IOException failure;

    Watched(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int octet) throws IOException {
      write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] octets, int offset, int length) throws IOException {
      try {
        out.write(octets, offset, length);
      } catch (IOException takesNoMore) {
        failure = takesNoMore;
        throw takesNoMore;
      }
    }

    /** Throws the failure of the target, if there was one. */
    void requireWritten() throws IOException {
      if (failure != null) {
        throw failure;
      }
    }
  }
}
