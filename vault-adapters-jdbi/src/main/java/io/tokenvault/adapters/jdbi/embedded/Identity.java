package io.tokenvault.adapters.jdbi.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;

/** The user that PostgreSQL's programs run as: they refuse root. */
record Identity(List<String> prefix, Owner files) {

  private static final List<String> UNMAPPED = List.of("unshare", "-U");

  /** The better ones first. */
  static List<Identity> candidates(Owner me, Owner directory) {
    if (!me.isRoot()) {
      // A number without a name, as some containers have it, is refused by initdb; unmapped it is
      // "nobody".
      return List.of(new Identity(List.of(), me), new Identity(UNMAPPED, me));
    }
    if (!directory.isRoot()) {
      return List.of(as(directory));
    }
    return List.of(new Identity(UNMAPPED, Owner.ROOT), as(Owner.NOBODY));
  }

  /** Whether the directory is, or could be made, this user's own. */
  boolean mayClaim(DataDirectory directory) throws IOException {
    return isAtHome(directory)
        || DataDirectory.PRIVATE_FOLDER.containsAll(
            Set.copyOf(Files.getPosixFilePermissions(directory.path())));
  }

  void claim(DataDirectory directory) throws IOException {
    if (!isAtHome(directory)) {
      files.take(directory.path());
    }
  }

  private boolean isAtHome(DataDirectory directory) throws IOException {
    return !Owner.ofThisProcess().isRoot() || directory.owner().uid() == files.uid();
  }

  private static Identity as(Owner owner) {
    return new Identity(
        List.of("setpriv", "--reuid=" + owner.uid(), "--regid=" + owner.gid(), "--clear-groups"),
        owner);
  }

  @Override
  public String toString() {
    return prefix.isEmpty() ? "as this user" : String.join(" ", prefix);
  }
}
