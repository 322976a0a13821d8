package io.tokenvault.adapters.jdbi.embedded;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Removes a folder with all that is in it; what vanishes meanwhile is fine. */
final class FileTree extends SimpleFileVisitor<Path> {

  private FileTree() {}

  static void delete(Path top) throws IOException {
    if (Files.exists(top)) {
      Files.walkFileTree(top, new FileTree());
    }
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
    Files.deleteIfExists(file);
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
    if (Files.exists(file)) {
      throw failure;
    }
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult postVisitDirectory(Path folder, IOException failure) throws IOException {
    Files.deleteIfExists(folder);
    return FileVisitResult.CONTINUE;
  }
}
