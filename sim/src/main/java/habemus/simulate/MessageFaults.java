package habemus.simulate;

import habemus.world.MessageFault;
import habemus.world.Micros;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The faults of single messages in a run, and which of them have not hit their message yet. */
final class MessageFaults {

    private final Map<Long, List<MessageFault>> byNumber = new HashMap<>();
    private final Set<MessageFault> pending = new LinkedHashSet<>();

    MessageFaults(List<MessageFault> faults) {
        for (MessageFault fault : faults) {
            byNumber.computeIfAbsent(fault.number(), number -> new ArrayList<>())
                    .add(fault);
        }
        pending.addAll(faults);
    }

    boolean isEmpty() {
        return byNumber.isEmpty();
    }

    /** The faults of a message that goes on its way now. */
    List<MessageFault> onSend(long number) {
        var faults = byNumber.getOrDefault(number, List.of());
        faults.forEach(pending::remove);
        return faults;
    }

    /** The faults whose message was not sent, or was lost or cut off at once. */
    List<MessageFault> withoutEffect() {
        return List.copyOf(pending);
    }

    static long delayMicros(List<MessageFault> faults) {
        return faults.stream()
                .mapToLong(fault -> fault instanceof MessageFault.Delay delay ? Micros.of(delay.by()) : 0)
                .sum();
    }
}
