package io.tokenvault.adapters.jdbi.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Who holds a data directory: a note beside the lock, for messages and manners only. */
record Holder(long pid, Purpose purpose) {

  /** A server stays, a command ends soon. */
  enum Purpose {
    SERVER,
    COMMAND
  }

  static Holder thisProcess(Purpose purpose) {
    return new Holder(ProcessHandle.current().pid(), purpose);
  }

  static Optional<Holder> read(Path file) {
    try {
      String[] words = Files.readString(file).trim().split(" ");
      return Optional.of(new Holder(Long.parseLong(words[1]), Purpose.valueOf(words[0])));
    } catch (IOException | IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  boolean isRunningServer() {
    return purpose == Purpose.SERVER
        && ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
  }

  String text() {
    return purpose + " " + pid + "\n";
  }
}
