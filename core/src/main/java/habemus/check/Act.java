package habemus.check;

import static java.util.Objects.requireNonNullElse;

import habemus.protocol.NodeId;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One word of a {@link Schedule}: what happens, and where.
 *
 * @param peer from whom a letter comes, or of whom it is news; null if it is about nobody
 * @param place of the letter among those under way from that peer, the one that was sent first is 1; else 0
 * @param alarm which rings, or who is parted from the others; else empty
 * @param dice how they fell, one after the other
 * @param cut after how many outs the node crashes; zero if it does not
 * @param ticks how long nothing happened before an alarm rang in a synchronous world
 */
record Act(
        NodeId node,
        Verb verb,
        @Nullable NodeId peer,
        int place,
        String alarm,
        List<Integer> dice,
        int cut,
        int ticks) {

    /** What can happen. */
    enum Verb {
        /** Only said of a start at which dice fell. */
        START("start", null),
        ASK("ask", Choice.Kind.ASK),
        LEAVE("leave", Choice.Kind.LEAVE),
        RING("ring", Choice.Kind.RING),
        SUSPECT("suspect", Choice.Kind.SUSPECT),
        MISTAKE("mistake", Choice.Kind.MISTAKE),
        RESTORE("restore", Choice.Kind.RESTORE),
        CRASH("crash", Choice.Kind.CRASH),
        RESTART("restart", Choice.Kind.RESTART),
        AMNESIA("amnesia", Choice.Kind.AMNESIA),
        FROM("from", Choice.Kind.RECEIVE),
        GONE("gone", Choice.Kind.VANISH),
        CUT_OFF("cutoff", Choice.Kind.CUT_OFF),
        PART("part", Choice.Kind.PART),
        /** As part, but only one way. */
        MUTE("mute", Choice.Kind.PART),
        MEND("mend", Choice.Kind.MEND),
        PAUSE("pause", Choice.Kind.PAUSE),
        RESUME("resume", Choice.Kind.RESUME),
        LOST("lost", Choice.Kind.LOSE),
        TWICE("twice", Choice.Kind.DOUBLE);

        final String word;
        final Choice.@Nullable Kind kind;

        Verb(String word, Choice.@Nullable Kind kind) {
            this.word = word;
            this.kind = kind;
        }

        static Verb of(Choice.Kind kind) {
            return Arrays.stream(values())
                    .filter(verb -> verb.kind == kind)
                    .findFirst()
                    .orElseThrow();
        }

        boolean isOfLetter() {
            return this == FROM || this == GONE || this == CUT_OFF || this == LOST || this == TWICE;
        }

        /** Whether it has a name of its own: that of an alarm, or of those who are parted from the others. */
        boolean isNamed() {
            return this == RING || this == PART || this == MUTE;
        }

        boolean isOfPeer() {
            return isOfLetter() || this == SUSPECT || this == MISTAKE || this == RESTORE;
        }
    }

    private static final Pattern FORM = Pattern.compile("(?<node>\\d{1,7})(?<verb>"
            + Arrays.stream(Verb.values()).map(verb -> verb.word).collect(Collectors.joining("|"))
            + ")(?<peer>\\d{1,7})?(?:-(?<which>\\w+))?(?::(?<dice>\\d{1,9}(?:,\\d{1,9})*))?"
            + "(?:/(?<cut>\\d{1,9}))?(?:@(?<ticks>\\d{1,9}))?");

    static Act of(NodeId node, Verb verb) {
        return new Act(node, verb, null, 0, "", List.of(), 0, 0);
    }

    /** With a letter from this peer; place is 0 if it is no letter. */
    Act about(NodeId whom, int which) {
        return new Act(node, verb, whom, which, alarm, dice, cut, ticks);
    }

    Act ringing(String name, int after) {
        return new Act(node, verb, peer, place, name, dice, cut, after);
    }

    Act rolling(List<Integer> fallen) {
        return new Act(node, verb, peer, place, alarm, fallen, cut, ticks);
    }

    Act cutAfter(int outs) {
        return new Act(node, verb, peer, place, alarm, dice, outs, ticks);
    }

    /** Whether they differ in nothing but the place of a letter, how dice fell, and the time that passed. */
    boolean isLike(Act other) {
        return node.equals(other.node)
                && verb == other.verb
                && Objects.equals(peer, other.peer)
                && alarm.equals(other.alarm)
                && cut == other.cut;
    }

    /** What the text says; nothing if it is no act. */
    static Optional<Act> parse(String text) {
        var parts = FORM.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        var verb = Arrays.stream(Verb.values())
                .filter(each -> each.word.equals(parts.group("verb")))
                .findFirst()
                .orElseThrow();
        int node = number(parts.group("node"));
        int peer = number(parts.group("peer"));
        var which = requireNonNullElse(parts.group("which"), "");
        boolean numbered = which.isEmpty() || which.matches("[1-9]\\d{0,8}");
        boolean fits = (peer > 0) == verb.isOfPeer()
                && (verb.isNamed() ? !which.isEmpty() : which.isEmpty() || verb.isOfLetter() && numbered);
        if (!fits || node < 1 || Math.max(node, peer) >= NodeId.LIMIT) {
            return Optional.empty();
        }
        var act = of(new NodeId(node), verb);
        if (peer > 0) {
            act = act.about(new NodeId(peer), !verb.isOfLetter() ? 0 : which.isEmpty() ? 1 : number(which));
        }
        return Optional.of(act.ringing(verb.isNamed() ? which : "", number(parts.group("ticks")))
                .rolling(numbers(parts.group("dice")))
                .cutAfter(number(parts.group("cut"))));
    }

    private static int number(@Nullable String digits) {
        return digits == null ? 0 : Integer.parseInt(digits);
    }

    private static List<Integer> numbers(@Nullable String list) {
        return list == null
                ? List.of()
                : Stream.of(list.split(",", -1)).map(Integer::valueOf).toList();
    }

    @Override
    public String toString() {
        var text = new StringBuilder().append(node.number()).append(verb.word);
        if (peer != null) {
            text.append(peer.number());
        }
        if (place > 1) {
            text.append('-').append(place);
        }
        if (!alarm.isEmpty()) {
            text.append('-').append(alarm);
        }
        if (!dice.isEmpty()) {
            text.append(':').append(dice.stream().map(String::valueOf).collect(Collectors.joining(",")));
        }
        if (cut > 0) {
            text.append('/').append(cut);
        }
        if (ticks > 0) {
            text.append('@').append(ticks);
        }
        return text.toString();
    }
}
