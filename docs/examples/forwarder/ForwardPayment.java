import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.engine.TokenForwarder;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.ports.api.ProxyCall;
import io.tokenvault.ports.api.ProxyResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Sends a card from its own token source to a URL: {@code ForwardPayment https://...}. */
public final class ForwardPayment implements TokenForwarder.Recorder {

  private static final Map<String, SensitiveValue> CARDS =
      Map.of("card-7", SensitiveValue.ofText("\"4242424242424242\""));

  public static void main(String[] arguments) throws IOException {
    byte[] body = "{\"card\":\"{{card-7}}\"}".getBytes(StandardCharsets.UTF_8);
    ProxyCall call =
        new ProxyCall(
            "POST",
            "",
            Optional.empty(),
            List.of(new HeaderField("Content-Type", "application/json")),
            new ByteArrayInputStream(body),
            OptionalLong.of(body.length));
    try (TokenForwarder forwarder = new TokenForwarder(ids -> CARDS, new ForwardPayment());
        ProxyResponse response = forwarder.send(arguments[0], call)) {
      System.out.println(response.status());
      response.body().transferTo(System.out);
    }
  }

  @Override
  public void begin(Destination destination, Set<String> tokenIds) {
    System.out.println("sending " + tokenIds + " to " + destination.host());
  }

  @Override
  public void end(Destination destination, String outcome) {
    System.out.println(outcome);
  }
}
