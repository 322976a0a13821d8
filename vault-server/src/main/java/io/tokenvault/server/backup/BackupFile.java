package io.tokenvault.server.backup;

import io.tokenvault.domain.audit.integrity.LogTag;
import io.tokenvault.ports.crypto.LogKeys;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.util.Arrays;

/**
 * A backup file that is complete and authenticated by a key of the keyset.
 *
 * <pre>{@code
 * BackupFile backup = BackupFile.verified(file, keys);
 * try (BackupFile.Content content = backup.content()) {
 *   restore(content.stream());
 *   content.requireSame();
 * }
 * }</pre>
 */
public final class BackupFile {

  private static final int BUFFER_BYTES = 64 * 1024;

  private final Path file;
  private final byte[] digest;

  private BackupFile(Path file, byte[] digest) {
    this.file = file;
    this.digest = digest;
  }

  /**
   * Reads the whole file and verifies both of its MACs.
   *
   * @throws RefusedBackupException if it is not a backup, belongs to another keyset, or was cut off
   *     or changed
   * @throws IOException if it cannot be read
   */
  public static BackupFile verified(Path file, LogKeys keys) throws IOException {
    long size = Files.size(file);
    if (size < BackupFormat.START_BYTES + BackupFormat.TAG_BYTES) {
      throw noBackup(file);
    }
    try (DigestInputStream in = open(file)) {
      requireStart(file, in, keys);
      BackupFile backup = new BackupFile(file, rest(in, size));
      requireWhole(file, BackupFormat.readTag(in), backup.digest, keys);
      return backup;
    }
  }

  /** Verifies the first MAC, which shows early whether the keyset is the right one. */
  private static void requireStart(Path file, InputStream in, LogKeys keys) throws IOException {
    if (!Arrays.equals(in.readNBytes(BackupFormat.MARK.length), BackupFormat.MARK)) {
      throw noBackup(file);
    }
    byte[] start = BackupFormat.start(in.readNBytes(BackupFormat.NAME_BYTES));
    if (!keys.confirms(LogKeys.Use.BACKUP, start, BackupFormat.readTag(in))) {
      throw new RefusedBackupException(
          "The file "
              + file
              + " was made with another master keyset, or its start was changed; nothing was"
              + " restored.");
    }
  }

  private static RefusedBackupException noBackup(Path file) {
    return new RefusedBackupException(
        "The file " + file + " is no backup that this program knows; nothing was restored.");
  }

  /** Returns the digest of all bytes before the last MAC. */
  private static byte[] rest(DigestInputStream in, long size) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    long left = size - BackupFormat.START_BYTES - BackupFormat.TAG_BYTES;
    while (left > 0) {
      int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
      if (read < 0) {
        throw new IOException("the file has become shorter");
      }
      left -= read;
    }
    byte[] digest = in.getMessageDigest().digest();
    in.on(false);
    return digest;
  }

  /** Verifies the last MAC, which covers the whole file. */
  private static void requireWhole(Path file, LogTag tag, byte[] digest, LogKeys keys) {
    if (!keys.confirms(LogKeys.Use.BACKUP, BackupFormat.whole(digest), tag)) {
      throw new RefusedBackupException(
          "The backup " + file + " was cut off or changed; nothing was restored.");
    }
  }

  /** Opens the file with a digest of everything that is read from it. */
  private static DigestInputStream open(Path file) throws IOException {
    return new DigestInputStream(
        new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES), BackupFormat.digest());
  }

  /** Opens the content again for a second pass. The caller closes it. */
  public Content content() throws IOException {
    DigestInputStream in = open(file);
    // The start is read rather than skipped, because the digest covers it.
    in.readNBytes(BackupFormat.START_BYTES);
    return new Content(in);
  }

  /** The content in a second pass. The file may have changed since it was verified. */
  public final class Content implements AutoCloseable {

    private final DigestInputStream in;

    private Content(DigestInputStream in) {
      this.in = in;
    }

    /**
     * Returns the stream of the content. The last MAC follows it; do not read beyond the content.
     */
    public InputStream stream() {
      return in;
    }

    /**
     * Requires that the content is identical to the one that was verified. Call it after the last
     * byte of the content was read.
     *
     * @throws RefusedBackupException if it is not
     */
    public void requireSame() {
      if (!Arrays.equals(in.getMessageDigest().digest(), digest)) {
        throw new RefusedBackupException(
            "The backup " + file + " was changed while it was read; nothing was restored.");
      }
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
