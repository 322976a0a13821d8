package io.tokenvault.engine.transform;

import io.tokenvault.engine.transform.isolation.WorkerProgram;
import io.tokenvault.engine.transform.pool.WorkerPool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;

/** Copies the classes of server and worker to where every user can read them. */
public final class WorldReadableClasses {

  private static final List<Class<?>> SOURCES =
      List.of(WorkerPool.class, FakeWorker.class, Logger.class);

  private WorldReadableClasses() {}

  /** Copies the classes into a folder and returns their class path. */
  public static List<Path> copyTo(Path folder) throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    for (Class<?> source : SOURCES) {
      copy(WorkerProgram.sourceOf(source), folder.resolve(source.getSimpleName()));
    }
    return SOURCES.stream().map(source -> folder.resolve(source.getSimpleName())).toList();
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path copy = Files.isDirectory(from) ? to.resolve(from.relativize(file).toString()) : to;
        Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }
}
