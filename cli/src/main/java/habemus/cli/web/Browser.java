package habemus.cli.web;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;
import java.util.Locale;

/** Opens an address in the user's browser. */
final class Browser {

    private Browser() {}

    /** @return whether a program that opens it was started */
    static boolean open(String address) {
        try {
            new ProcessBuilder(command(address))
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
            return true;
        } catch (IOException missing) {
            return false;
        }
    }

    private static List<String> command(String address) {
        var system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        if (system.startsWith("windows")) {
            return List.of("rundll32", "url.dll,FileProtocolHandler", address);
        }
        return List.of(system.startsWith("mac") ? "open" : "xdg-open", address);
    }
}
