package io.tokenvault.server.files;

import io.tokenvault.domain.Sha256;
import io.tokenvault.domain.audit.integrity.LogTag;
import io.tokenvault.ports.crypto.LogKeys;
import io.tokenvault.server.config.OperatorException;
import java.io.BufferedInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.DigestOutputStream;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * A backup file that is complete and authenticated by a key of the keyset.
 *
 * <pre>{@code
 * BackupFile.write(out, keys, randomness, stores::writeSnapshot);
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
   * Writes a backup that is authenticated by the keyset.
   *
   * <p>It is not encrypted: sensitive fields in the database are encrypted already.
   *
   * @param target receives the file and is not closed
   * @param content writes the content to the stream that it receives and does not close it
   * @throws IOException if the target fails
   */
  public static void write(
      OutputStream target, LogKeys keys, RandomGenerator randomness, Consumer<OutputStream> content)
      throws IOException {
    Watched watched = new Watched(target);
    DigestOutputStream out = new DigestOutputStream(watched, Sha256.digest());
    byte[] name = new byte[Format.NAME_BYTES];
    randomness.nextBytes(name);
    out.write(Format.MARK);
    out.write(name);
    Format.write(keys.authenticate(LogKeys.Use.BACKUP, Format.start(name)), out);
    try {
      content.accept(out);
    } catch (RuntimeException failed) {
      watched.requireWritten();
      throw failed;
    }
    byte[] whole = Format.whole(out.getMessageDigest().digest());
    Format.write(keys.authenticate(LogKeys.Use.BACKUP, whole), target);
  }

  /**
   * Reads the whole file and verifies both of its MACs.
   *
   * @throws OperatorException if it is not a backup, belongs to another keyset, or was cut off or
   *     changed
   * @throws IOException if it cannot be read
   */
  public static BackupFile verified(Path file, LogKeys keys) throws IOException {
    long size = Files.size(file);
    if (size < Format.START_BYTES + Format.TAG_BYTES) {
      throw noBackup(file);
    }
    try (DigestInputStream in = open(file)) {
      requireStart(file, in, keys);
      BackupFile backup = new BackupFile(file, rest(in, size));
      requireWhole(file, Format.readTag(in), backup.digest, keys);
      return backup;
    }
  }

  /** Verifies the first MAC, which shows early whether the keyset is the right one. */
  private static void requireStart(Path file, InputStream in, LogKeys keys) throws IOException {
    if (!Arrays.equals(in.readNBytes(Format.MARK.length), Format.MARK)) {
      throw noBackup(file);
    }
    byte[] start = Format.start(in.readNBytes(Format.NAME_BYTES));
    if (!keys.confirms(LogKeys.Use.BACKUP, start, Format.readTag(in))) {
      throw new OperatorException(
          "The file "
              + file
              + " was created with another master keyset, or its header was changed; nothing was"
              + " restored.");
    }
  }

  private static OperatorException noBackup(Path file) {
    return new OperatorException(
        "The file " + file + " is not a backup in a supported format; nothing was restored.");
  }

  /** Returns the digest of all bytes before the last MAC. */
  private static byte[] rest(DigestInputStream in, long size) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    long left = size - Format.START_BYTES - Format.TAG_BYTES;
    while (left > 0) {
      int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
      if (read < 0) {
        throw new IOException("the file was truncated");
      }
      left -= read;
    }
    byte[] digest = in.getMessageDigest().digest();
    in.on(false);
    return digest;
  }

  /** Verifies the last MAC, which covers the whole file. */
  private static void requireWhole(Path file, LogTag tag, byte[] digest, LogKeys keys) {
    if (!keys.confirms(LogKeys.Use.BACKUP, Format.whole(digest), tag)) {
      throw new OperatorException(
          "The backup " + file + " was truncated or changed; nothing was restored.");
    }
  }

  /** Opens the file with a digest of everything that is read from it. */
  private static DigestInputStream open(Path file) throws IOException {
    return new DigestInputStream(
        new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES), Sha256.digest());
  }

  /** Opens the content again for a second pass. The caller closes it. */
  public Content content() throws IOException {
    DigestInputStream in = open(file);
    // The start is read rather than skipped, because the digest covers it.
    in.readNBytes(Format.START_BYTES);
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
     * @throws OperatorException if it is not
     */
    public void requireSame() {
      if (!Arrays.equals(in.getMessageDigest().digest(), digest)) {
        throw new OperatorException(
            "The backup " + file + " was changed while it was read; nothing was restored.");
      }
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
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

  /**
   * Defines the format of a backup file.
   *
   * <p>It consists of a line that identifies the format, 16 random bytes, a MAC of both, the
   * content, and a MAC of the SHA-256 of everything before it. The first MAC shows whether the
   * keyset is the right one before the content is read. A MAC is preceded by the id of its key.
   */
  private static final class Format {

    static final byte[] MARK = "token-vault backup 1\n".getBytes(StandardCharsets.US_ASCII);
    static final int NAME_BYTES = 16;
    static final int MAC_BYTES = 32;
    static final int TAG_BYTES = Integer.BYTES + MAC_BYTES;
    static final int START_BYTES = MARK.length + NAME_BYTES + TAG_BYTES;

    private static final byte[] START = "start".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] WHOLE = "whole".getBytes(StandardCharsets.US_ASCII);

    private Format() {}

    /**
     * Returns the input of the first MAC.
     *
     * @param name the random bytes of the file
     */
    static byte[] start(byte[] name) {
      return joined(START, MARK, name);
    }

    /**
     * Returns the input of the last MAC.
     *
     * @param digest the SHA-256 of everything before it
     */
    static byte[] whole(byte[] digest) {
      return joined(WHOLE, digest);
    }

    private static byte[] joined(byte[]... parts) {
      ByteBuffer all =
          ByteBuffer.allocate(Arrays.stream(parts).mapToInt(part -> part.length).sum());
      Arrays.stream(parts).forEach(all::put);
      return all.array();
    }

    /** Writes a key id and a MAC, {@link #TAG_BYTES} bytes together. */
    static void write(LogTag tag, OutputStream out) throws IOException {
      out.write(ByteBuffer.allocate(TAG_BYTES).putInt(tag.keyId()).put(tag.bytes()).array());
    }

    /** Reads a key id and a MAC. */
    static LogTag readTag(InputStream in) throws IOException {
      ByteBuffer tag = ByteBuffer.wrap(in.readNBytes(TAG_BYTES));
      byte[] mac = new byte[MAC_BYTES];
      int keyId = tag.getInt();
      tag.get(mac);
      return new LogTag(keyId, mac);
    }
  }
}
