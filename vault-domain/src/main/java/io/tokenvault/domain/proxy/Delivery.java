package io.tokenvault.domain.proxy;

import java.util.Objects;

/**
 * The destination of token data.
 *
 * @param host in lowercase
 * @param chosenByCaller whether the caller named the destination in the request, rather than a
 *     pre-configured proxy
 */
public record Delivery(String host, boolean chosenByCaller) {
  public Delivery {
    Objects.requireNonNull(host, "host");
  }
}
