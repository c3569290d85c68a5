package habemus.lab.experiment;

import habemus.world.MessageFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Parses faults of single messages, such as {@code --lose-message 12} or {@code --delay-message 12=50}. */
public final class MessageFaultParser {

    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");
    private static final Pattern DELAY = Pattern.compile("(\\d{1,18})=(" + SimulatedTime.PATTERN + ")");

    private final List<MessageFault> faults = new ArrayList<>();

    private MessageFaultParser() {}

    static List<MessageFault> parse(RunArguments arguments) {
        var parser = new MessageFaultParser();
        arguments.parts(WorldOption.LOSE_MESSAGE).forEach(parser::lose);
        arguments.parts(WorldOption.DUPLICATE_MESSAGE).forEach(parser::duplicate);
        arguments.parts(WorldOption.DELAY_MESSAGE).forEach(parser::delay);
        return List.copyOf(parser.faults);
    }

    private void lose(OptionValue value) {
        value.matchOrThrow(NUMBER);
        add(value, new MessageFault.Loss(number(value, value.text())));
    }

    private void duplicate(OptionValue value) {
        value.matchOrThrow(NUMBER);
        var duplication = new MessageFault.Duplication(number(value, value.text()));
        if (faults.contains(new MessageFault.Loss(duplication.number()))) {
            throw value.invalid("names a message that --lose-message names, too", "give one of them");
        }
        add(value, duplication);
    }

    private void delay(OptionValue value) {
        var parts = value.matchOrThrow(DELAY);
        var by = value.time(parts.group(2));
        if (by.equals(Duration.ZERO)) {
            throw value.invalid("is no delay", "write " + value.option().example());
        }
        var delay = new MessageFault.Delay(number(value, parts.group(1)), by);
        if (faults.stream()
                .anyMatch(other -> other instanceof MessageFault.Delay && other.number() == delay.number())) {
            throw again(value);
        }
        faults.add(delay);
    }

    private void add(OptionValue value, MessageFault fault) {
        if (faults.contains(fault)) {
            throw again(value);
        }
        faults.add(fault);
    }

    private static RuntimeException again(OptionValue value) {
        return value.invalid("names a message again", "name each message once");
    }

    private static long number(OptionValue value, String text) {
        long number = Long.parseLong(text);
        if (number == 0) {
            throw value.invalid("names no message", "use a number from 1, as in the output of --trace -");
        }
        return number;
    }

    /** The fault as it is written on the command line. */
    public static String format(MessageFault fault) {
        return switch (fault) {
            case MessageFault.Loss(var number) -> WorldOption.LOSE_MESSAGE.option() + " " + number;
            case MessageFault.Duplication(var number) -> WorldOption.DUPLICATE_MESSAGE.option() + " " + number;
            case MessageFault.Delay(var number, var by) ->
                WorldOption.DELAY_MESSAGE.option() + " " + number + "=" + SimulatedTime.formatMillis(by);
        };
    }
}
