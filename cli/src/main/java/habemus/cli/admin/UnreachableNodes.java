package habemus.cli.admin;

import com.google.gson.JsonParseException;
import habemus.lab.command.CommandException;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.SocketException;
import javax.net.ssl.SSLException;

/** Explains why no node could be reached. */
record UnreachableNodes(String address, boolean tls, IOException cause) {

    CommandException toException() {
        boolean unexpectedReply = false;
        for (Throwable error = cause; error != null; error = error.getCause()) {
            if (error instanceof SSLException) {
                return CommandException.failure(
                        "TLS handshake failed with " + address + ": " + error.getMessage(),
                        "--truststore must hold the certificate of the node or of its issuer, valid for this address;"
                                + " start the node with --keystore");
            }
            unexpectedReply |= error instanceof EOFException
                    || error instanceof ProtocolException
                    || error instanceof JsonParseException
                    || error instanceof SocketException && !(error instanceof ConnectException);
        }
        return unexpectedReply && !tls
                ? CommandException.failure(
                        "not a node: " + address + " sent an unexpected reply",
                        "if the node uses TLS, give --truststore and --password-file")
                : CommandException.failure(
                        "no node reachable at " + address,
                        "start nodes with habemus up, or set --at HOST:PORT or $" + ServiceClient.ADDRESS_VARIABLE);
    }
}
