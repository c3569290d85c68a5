package habemus.cli;

import com.google.gson.JsonParseException;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.SocketException;
import javax.net.ssl.SSLException;

/** No node has answered, and what is probably wrong. */
record NoAnswer(String where, boolean tls, IOException why) {

    Refusal refusal() {
        boolean strange = false;
        for (Throwable each = why; each != null; each = each.getCause()) {
            if (each instanceof SSLException) {
                return Refusal.cannot(
                        "there is no TLS with a node at " + where + ": " + each.getMessage(),
                        "--trusted must hold its certificate, or that of its issuer; it must name this address; and the"
                                + " node must serve with --keys");
            }
            strange |= each instanceof EOFException
                    || each instanceof ProtocolException
                    || each instanceof JsonParseException
                    || each instanceof SocketException && !(each instanceof ConnectException);
        }
        return strange && !tls
                ? Refusal.cannot(
                        "whoever is at " + where + " does not answer as a node does",
                        "if it serves with --keys, give --trusted and --password-file")
                : Refusal.cannot(
                        "cannot reach a node at " + where,
                        "is one running there? habemus up starts some; --at HOST:PORT or $" + Door.VARIABLE
                                + " chooses one");
    }
}
