package habemus.check.model;

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
 * One move of a {@link Schedule}: what happens, and at which node.
 *
 * @param peer the sender of a message, or the node that is suspected, restored, added, promoted, removed or made the
 *     leader, or that has joined or left; null if there is none
 * @param position of the message among those in flight from the peer, from 1 on in the order of sending; else 0
 * @param label the timer that fires, or the nodes on one side of a partition; else empty
 * @param draws the random draws of the step, in order
 * @param crashAfter the number of outputs before the node crashes in the step; zero if it does not
 * @param ticks how long nothing happened before a timeout in a synchronous world
 */
public record Move(
        NodeId node,
        Verb verb,
        @Nullable NodeId peer,
        int position,
        String label,
        List<Integer> draws,
        int crashAfter,
        int ticks) {

    /** What happens, with the word of the schedule. */
    public enum Verb {
        /** The start of a node; only in a schedule if it draws random numbers. */
        START("start", null),
        REQUEST("request", Action.Kind.REQUEST),
        RELEASE("release", Action.Kind.RELEASE),
        TIMEOUT("timeout", Action.Kind.TIMEOUT),
        SUSPECT("suspect", Action.Kind.SUSPECT),
        WRONG_SUSPICION("mistake", Action.Kind.WRONG_SUSPICION),
        RESTORE("restore", Action.Kind.RESTORE),
        JOIN("join", Action.Kind.JOIN),
        LEAVE("leave", Action.Kind.LEAVE),
        /** The node learns that the peer has joined. */
        JOINED("joined", Action.Kind.VIEW_CHANGE),
        /** The node learns that the peer has left. */
        LEFT("left", Action.Kind.VIEW_CHANGE),
        CRASH("crash", Action.Kind.CRASH),
        RESTART("restart", Action.Kind.RESTART),
        AMNESIA("amnesia", Action.Kind.AMNESIA),
        RECEIVE("from", Action.Kind.RECEIVE),
        DROP_AT_DOWN_NODE("dropped", Action.Kind.DROP_AT_DOWN_NODE),
        DROP_BY_PARTITION("cut", Action.Kind.DROP_BY_PARTITION),
        PARTITION("partition", Action.Kind.PARTITION),
        /** As a partition, but only the messages from one side are dropped. */
        ONE_WAY_PARTITION("mute", Action.Kind.PARTITION),
        HEAL("heal", Action.Kind.HEAL),
        PAUSE("pause", Action.Kind.PAUSE),
        RESUME("resume", Action.Kind.RESUME),
        PROPOSE("propose", Action.Kind.PROPOSE),
        READ("read", Action.Kind.READ),
        COMPACT("compact", Action.Kind.COMPACT),
        ADD_LEARNER("add", Action.Kind.ADD_LEARNER),
        PROMOTE("promote", Action.Kind.PROMOTE),
        REMOVE("remove", Action.Kind.REMOVE),
        TRANSFER("transfer", Action.Kind.TRANSFER),
        SYNC("sync", Action.Kind.SYNC),
        LOSE_TAIL("losetail", Action.Kind.LOSE_TAIL),
        LOSE("lost", Action.Kind.LOSE),
        DUPLICATE("twice", Action.Kind.DUPLICATE);

        final String word;
        final Action.@Nullable Kind kind;

        Verb(String word, Action.@Nullable Kind kind) {
            this.word = word;
            this.kind = kind;
        }

        public static Verb of(Action.Kind kind) {
            return Arrays.stream(values())
                    .filter(verb -> verb.kind == kind)
                    .findFirst()
                    .orElseThrow();
        }

        public boolean isAboutMessage() {
            return this == RECEIVE
                    || this == DROP_AT_DOWN_NODE
                    || this == DROP_BY_PARTITION
                    || this == LOSE
                    || this == DUPLICATE;
        }

        /** Whether it names a timer, or the nodes on one side of a partition. */
        boolean hasLabel() {
            return this == TIMEOUT || this == PARTITION || this == ONE_WAY_PARTITION;
        }

        private boolean isCallOnNode() {
            return this == ADD_LEARNER || this == PROMOTE || this == REMOVE || this == TRANSFER;
        }

        private boolean isNotice() {
            return this == SUSPECT || this == WRONG_SUSPICION || this == RESTORE || this == JOINED || this == LEFT;
        }

        boolean hasPeer() {
            return isAboutMessage() || isNotice() || isCallOnNode();
        }
    }

    private static final Pattern SYNTAX = Pattern.compile("(?<node>\\d{1,7})(?<verb>"
            + Arrays.stream(Verb.values()).map(verb -> verb.word).collect(Collectors.joining("|"))
            + ")(?<peer>\\d{1,7})?(?:-(?<which>\\w+))?(?::(?<draws>\\d{1,9}(?:,\\d{1,9})*))?"
            + "(?:/(?<crash>\\d{1,9}))?(?:@(?<ticks>\\d{1,9}))?");

    public static Move of(NodeId node, Verb verb) {
        return new Move(node, verb, null, 0, "", List.of(), 0, 0);
    }

    /** @param newPosition zero if the move is about no message */
    public Move withPeer(NodeId newPeer, int newPosition) {
        return new Move(node, verb, newPeer, newPosition, label, draws, crashAfter, ticks);
    }

    public Move withLabel(String newLabel, int newTicks) {
        return new Move(node, verb, peer, position, newLabel, draws, crashAfter, newTicks);
    }

    public Move withDraws(List<Integer> newDraws) {
        return new Move(node, verb, peer, position, label, newDraws, crashAfter, ticks);
    }

    public Move withCrashAfter(int outputs) {
        return new Move(node, verb, peer, position, label, draws, outputs, ticks);
    }

    /** Whether both differ only in the position of the message, the random draws and the time. */
    public boolean isSimilarTo(Move other) {
        return node.equals(other.node)
                && verb == other.verb
                && Objects.equals(peer, other.peer)
                && label.equals(other.label)
                && crashAfter == other.crashAfter;
    }

    /** The move of a word; empty if the word is not a move. */
    static Optional<Move> parse(String text) {
        var parts = SYNTAX.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        var verb = Arrays.stream(Verb.values())
                .filter(candidate -> candidate.word.equals(parts.group("verb")))
                .findFirst()
                .orElseThrow();
        int node = number(parts.group("node"));
        int peer = number(parts.group("peer"));
        var which = requireNonNullElse(parts.group("which"), "");
        boolean numbered = which.isEmpty() || which.matches("[1-9]\\d{0,8}");
        boolean fits = (peer > 0) == verb.hasPeer()
                && (verb.hasLabel() ? !which.isEmpty() : which.isEmpty() || verb.isAboutMessage() && numbered);
        if (!fits || node < 1 || Math.max(node, peer) >= NodeId.LIMIT) {
            return Optional.empty();
        }
        var move = of(new NodeId(node), verb);
        if (peer > 0) {
            move = move.withPeer(new NodeId(peer), !verb.isAboutMessage() ? 0 : which.isEmpty() ? 1 : number(which));
        }
        return Optional.of(move.withLabel(verb.hasLabel() ? which : "", number(parts.group("ticks")))
                .withDraws(numbers(parts.group("draws")))
                .withCrashAfter(number(parts.group("crash"))));
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
        if (position > 1) {
            text.append('-').append(position);
        }
        if (!label.isEmpty()) {
            text.append('-').append(label);
        }
        if (!draws.isEmpty()) {
            text.append(':').append(draws.stream().map(String::valueOf).collect(Collectors.joining(",")));
        }
        if (crashAfter > 0) {
            text.append('/').append(crashAfter);
        }
        if (ticks > 0) {
            text.append('@').append(ticks);
        }
        return text.toString();
    }
}
