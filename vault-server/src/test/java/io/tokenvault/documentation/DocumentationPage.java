package io.tokenvault.documentation;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The samples of a documentation page: requests as {@code http} blocks or {@code curl} commands,
 * each followed by its response as an {@code http} block.
 */
public final class DocumentationPage {

  private static final Pattern BLOCK =
      Pattern.compile("```(?:http\n(.*?)|sh\n(curl [^`]*?\"\\$VAULT/.*?))```", Pattern.DOTALL);

  private DocumentationPage() {}

  /**
   * Returns the samples of a page in their order.
   *
   * @throws IllegalStateException if a request has no response
   */
  public static List<Sample> samples(Path page) {
    List<Message> messages = new ArrayList<>();
    Matcher blocks = BLOCK.matcher(Pages.read(page));
    while (blocks.find()) {
      String http = blocks.group(1);
      messages.add(http == null ? Curl.parse(blocks.group(2)) : Message.parse(http));
    }
    if (messages.size() % 2 != 0) {
      throw new IllegalStateException("a request without a response on " + page);
    }
    List<Sample> samples = new ArrayList<>();
    for (int i = 0; i < messages.size(); i += 2) {
      samples.add(new Sample(messages.get(i), messages.get(i + 1)));
    }
    return samples;
  }

  /** A request and the documented response. */
  public record Sample(Message request, Message answer) {}

  /** A {@code curl} command whose variables are the placeholders of the page. */
  private static final class Curl {

    private static final Pattern HERE_DOCUMENT =
        Pattern.compile(" <<(\\w+)\n(.*)\n\\1\n", Pattern.DOTALL);
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|([^\\s\\\\]+)");
    private static final Pattern VARIABLE = Pattern.compile("\\$([A-Z_]+)");

    private Curl() {}

    static Message parse(String command) {
      Matcher hereDocument = HERE_DOCUMENT.matcher(command);
      String body = hereDocument.find() ? withPlaceholders(hereDocument.group(2)) : "";
      Matcher words = WORD.matcher(hereDocument.replaceFirst(""));
      String method = "";
      String path = "";
      Map<String, String> headers = new LinkedHashMap<>();
      for (String word = next(words); !word.isEmpty(); word = next(words)) {
        switch (word) {
          case "curl" -> {}
          case "-X" -> method = next(words);
          case "-H" -> Message.putHeader(headers, next(words));
          case "-d" -> {
            String data = next(words);
            body = data.equals("@-") ? body : data;
          }
          default -> path = word.substring("<vault>".length());
        }
      }
      String assumed = body.isEmpty() ? "GET" : "POST";
      return new Message((method.isEmpty() ? assumed : method) + " " + path, headers, body);
    }

    /** Returns the next word without its quotes; empty at the end. */
    private static String next(Matcher words) {
      if (!words.find()) {
        return "";
      }
      if (words.group(2) != null) {
        return words.group(2);
      }
      return withPlaceholders(words.group(1) == null ? words.group(3) : words.group(1));
    }

    private static String withPlaceholders(String text) {
      return VARIABLE
          .matcher(text)
          .replaceAll(variable -> "<" + variable.group(1).toLowerCase(Locale.ROOT) + ">");
    }
  }

  /**
   * A start line, headers and body, as they are written on the page.
   *
   * @param start method and path, or status code and reason
   */
  public record Message(String start, Map<String, String> headers, String body) {

    static Message parse(String text) {
      String[] parts = text.split("\n\n", 2);
      String[] lines = parts[0].strip().split("\n");
      Map<String, String> headers = new LinkedHashMap<>();
      for (int i = 1; i < lines.length; i++) {
        putHeader(headers, lines[i]);
      }
      return new Message(lines[0], headers, parts.length == 2 ? parts[1].strip() : "");
    }

    private static void putHeader(Map<String, String> headers, String line) {
      int colon = line.indexOf(':');
      headers.put(line.substring(0, colon), line.substring(colon + 1).strip());
    }

    public String firstWord() {
      return start.split(" ")[0];
    }

    public String secondWord() {
      return start.split(" ")[1];
    }
  }
}
