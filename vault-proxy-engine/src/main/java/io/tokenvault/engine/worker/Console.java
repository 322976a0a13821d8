package io.tokenvault.engine.worker;

import io.tokenvault.engine.wire.FromWorker.ConsoleLine;
import java.util.ArrayList;
import java.util.List;

/** What an invocation wrote, up to a bound; what comes after it is dropped. */
final class Console {

  private static final int MAX_LINES = 1000;
  private static final int MAX_CHARACTERS = 128 * 1024;

  private final List<ConsoleLine> lines = new ArrayList<>();
  private int left = MAX_CHARACTERS;

  void add(String level, String text) {
    if (lines.size() < MAX_LINES && left > 0) {
      String kept = text.length() > left ? text.substring(0, left) : text;
      left -= kept.length() + 1;
      lines.add(new ConsoleLine(level, kept));
    }
  }

  List<ConsoleLine> lines() {
    return lines;
  }
}
