package io.tokenvault.planted.ports.usecase.token;

/** Represents the class that decrypts tokens. */
final class TokenContents {

  String decrypt() {
    return "";
  }
}
