package io.tokenvault.server.e2e.operations;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The samples of a documentation page: {@code http} blocks, each request followed by its answer.
 */
final class DocumentationPage {

  private static final Pattern BLOCK = Pattern.compile("```http\n(.*?)```", Pattern.DOTALL);

  private DocumentationPage() {}

  static List<Sample> samples(Path page) {
    List<Message> messages = new ArrayList<>();
    Matcher blocks = BLOCK.matcher(read(page));
    while (blocks.find()) {
      messages.add(Message.parse(blocks.group(1)));
    }
    if (messages.size() % 2 != 0) {
      throw new IllegalStateException("a request without an answer on " + page);
    }
    List<Sample> samples = new ArrayList<>();
    for (int i = 0; i < messages.size(); i += 2) {
      samples.add(new Sample(messages.get(i), messages.get(i + 1)));
    }
    return samples;
  }

  private static String read(Path page) {
    try {
      return Files.readString(page);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** A request and the answer that the page promises. */
  record Sample(Message request, Message answer) {}

  /**
   * A start line, headers and body, as they are written on the page.
   *
   * @param start method and path, or status code and reason
   */
  record Message(String start, Map<String, String> headers, String body) {

    static Message parse(String text) {
      String[] parts = text.split("\n\n", 2);
      String[] lines = parts[0].strip().split("\n");
      Map<String, String> headers = new LinkedHashMap<>();
      for (int i = 1; i < lines.length; i++) {
        int colon = lines[i].indexOf(':');
        headers.put(lines[i].substring(0, colon), lines[i].substring(colon + 1).strip());
      }
      return new Message(lines[0], headers, parts.length == 2 ? parts[1].strip() : "");
    }

    String firstWord() {
      return start.split(" ")[0];
    }

    String secondWord() {
      return start.split(" ")[1];
    }
  }
}
