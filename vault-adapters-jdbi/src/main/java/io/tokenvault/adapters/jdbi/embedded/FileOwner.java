package io.tokenvault.adapters.jdbi.embedded;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A user and group by number: names need not exist, particularly in containers.
 *
 * @param uid the number of the user
 * @param gid the number of the group
 */
record FileOwner(int uid, int gid) {

  static final FileOwner ROOT = new FileOwner(0, 0);

  /** The user that Linux distributions reserve for processes without rights. */
  static final FileOwner NOBODY = new FileOwner(65534, 65534);

  /** Returns the user and group that this JVM runs as. */
  static FileOwner ofThisProcess() {
    UnixSystem system = new UnixSystem();
    return new FileOwner((int) system.getUid(), (int) system.getGid());
  }

  /** Returns the owner of a file; symbolic links are not followed. */
  static FileOwner of(Path file) throws IOException {
    return new FileOwner(number(file, "unix:uid"), number(file, "unix:gid"));
  }

  boolean isRoot() {
    return uid == 0;
  }

  /** Makes this user the owner of a file. Only root may change an owner. */
  void take(Path file) throws IOException {
    if (number(file, "unix:uid") != uid) {
      Files.setAttribute(file, "unix:gid", gid, LinkOption.NOFOLLOW_LINKS);
      Files.setAttribute(file, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
    }
  }

  /** Makes this user the owner of a folder and of all files in it. */
  void takeTree(Path top) throws IOException {
    for (Path file : all(top)) {
      take(file);
    }
  }

  private static List<Path> all(Path top) throws IOException {
    try (Stream<Path> files = Files.walk(top)) {
      return files.toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static int number(Path file, String attribute) throws IOException {
    return (Integer) Files.getAttribute(file, attribute, LinkOption.NOFOLLOW_LINKS);
  }
}
