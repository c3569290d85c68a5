package habemus.cli.options;

import habemus.lab.command.CommandException;
import habemus.service.transport.Member;
import java.net.InetSocketAddress;

/** Network addresses as option values: {@code HOST:PORT}. */
public final class AddressOptions {

    private AddressOptions() {}

    /** @throws CommandException if the text is not an address, or its host name cannot be resolved */
    public static InetSocketAddress parse(String text, String option) {
        try {
            var address = Member.parseAddress(text, text);
            if (address.isUnresolved()) {
                throw CommandException.failure(
                        option + " cannot be resolved: " + address.getHostString(), "use an IP address");
            }
            return address;
        } catch (IllegalArgumentException invalid) {
            throw CommandException.usage(
                    option + " must be HOST:PORT, was '" + text + "'", "write " + option + " 127.0.0.1:7801");
        }
    }

    public static String format(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }
}
