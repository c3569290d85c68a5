package habemus.lab.experiment;

import habemus.lab.command.CommandException;
import habemus.protocol.ClientServer;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Protocol;
import habemus.world.Micros;
import habemus.world.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Forks a simulated run: adds an option for the intervention, or changes one. See {@link Fork}. */
final class SimulatedFork {

    private static final Pattern INTERVAL =
            Pattern.compile("(.*)@(" + SimulatedTime.PATTERN + ")(?:\\.\\.(" + SimulatedTime.PATTERN + "))?");

    private final Experiment experiment;
    private final RunArguments original;
    private final RunPrefix prefix;
    private final Protocol<?, ?> protocol;
    private final String time;

    SimulatedFork(Experiment experiment, RunPrefix prefix) {
        this.experiment = experiment;
        this.prefix = prefix;
        original = experiment.arguments();
        protocol = experiment.algorithm().create(experiment.algorithmParameters());
        time = SimulatedTime.formatMillis(micros());
    }

    /** When the intervention happens. */
    private long micros() {
        return prefix.isStart() ? 0 : prefix.time() + 1;
    }

    RunArguments with(Intervention intervention) {
        if (original.has(WorldOption.UNTIL)
                && experiment.runLimits().maxTime().compareTo(Micros.toDuration(micros())) < 0) {
            throw CommandException.usage("the run ends here, by --until", "use a later --until");
        }
        return switch (intervention) {
            case Intervention.Crash(var node) -> crash(node);
            case Intervention.Restart(var node, var amnesia) -> {
                prefix.requireDown(node);
                yield withPart(WorldOption.RESTART, at(node) + (amnesia ? ":amnesia" : ""));
            }
            case Intervention.Pause(var node) -> {
                prefix.requireUp(node);
                if (prefix.isPaused(node)) {
                    throw CommandException.usage(node + " is paused at this time", "let it resume");
                }
                yield withPart(WorldOption.PAUSE, at(node));
            }
            case Intervention.Resume(var node) -> resume(node);
            case Intervention.Partition(var groups) -> partition(groups);
            case Intervention.Heal(var groups) -> heal(groups);
            case Intervention.Lose(var message) -> lose(message);
            case Intervention.Duplicate(var message) -> {
                requireUnarrived(message);
                requireAbsent(WorldOption.DUPLICATE_MESSAGE, message);
                requireAbsent(WorldOption.LOSE_MESSAGE, message);
                yield withPart(WorldOption.DUPLICATE_MESSAGE, Long.toString(message));
            }
            case Intervention.Delay(var message, var by) -> delay(message, by);
            case Intervention.Acquire(var node) -> request(node, Problem.MUTEX);
            case Intervention.Campaign(var node) -> request(node, Problem.ELECTION);
            case Intervention.DelayByMoves delay ->
                throw CommandException.usage("this run has times, and no moves", "delay the message by milliseconds");
            case Intervention.NextMoves(var text) ->
                throw CommandException.usage(
                        "a move needs a run that is given move by move: " + text, "start one with --moves");
        };
    }

    private String at(NodeId node) {
        return text(node) + "@" + time;
    }

    private String text(NodeId node) {
        return experiment.names().isEmpty()
                ? Integer.toString(node.number())
                : experiment.names().of(node);
    }

    private RunArguments crash(NodeId node) {
        prefix.requireUp(node);
        if (protocol instanceof ClientServer<?, ?> clientServer && clientServer.neverCrashes(node)) {
            throw CommandException.usage(
                    node + " never crashes: it stands for something that outlives any node", "choose another node");
        }
        return withPart(WorldOption.CRASH, at(node));
    }

    private RunArguments resume(NodeId node) {
        prefix.requireUp(node);
        if (!prefix.isPaused(node)) {
            throw CommandException.usage(node + " is not paused at this time", "pause it first");
        }
        var resumed = original.with(WorldOption.PAUSE, ends(WorldOption.PAUSE, ",", text -> isNode(text, node)));
        return requireChanged(resumed, node + " was not paused by --pause");
    }

    private static boolean isNode(String text, NodeId node) {
        return text.equals(Integer.toString(node.number())) || text.equals(node.toString());
    }

    private RunArguments partition(List<NodeSet> groups) {
        if (groups.size() < 2) {
            throw CommandException.usage("a partition needs two groups, has " + groups.size(), "name both sides");
        }
        var value = groups.stream()
                        .map(group -> group.toList().stream().map(this::text).collect(Collectors.joining(",")))
                        .collect(Collectors.joining("/"))
                + "@" + time;
        var values = new ArrayList<>(texts(original, WorldOption.PARTITION));
        values.add(value);
        return original.with(WorldOption.PARTITION, values);
    }

    private RunArguments heal(List<NodeSet> groups) {
        if (prefix.cuts().isEmpty()) {
            throw CommandException.usage("there is no partition at this time", "add one first");
        }
        var wanted = new HashSet<>(groups);
        Predicate<String> isWanted = nodes -> groups.isEmpty() || groups(nodes).equals(wanted);
        var healed = original.with(WorldOption.PARTITION, ends(WorldOption.PARTITION, "", isWanted))
                .with(WorldOption.CUT, ends(WorldOption.CUT, "", isWanted));
        return requireChanged(healed, "there is no such partition by --partition or --cut");
    }

    private static Set<NodeSet> groups(String head) {
        var groups = new HashSet<NodeSet>();
        for (String group : head.split("[/>]", -1)) {
            var nodes = NodeSet.NONE;
            for (String node : group.split(",", -1)) {
                nodes = nodes.with(new NodeId(Integer.parseInt(node.startsWith("n") ? node.substring(1) : node)));
            }
            groups.add(nodes);
        }
        return groups;
    }

    private RunArguments requireChanged(RunArguments fork, String otherwise) {
        if (fork.equals(original)) {
            throw CommandException.usage(
                    otherwise, original.has(WorldOption.SWARM) ? "a fault by --swarm ends by itself" : "add one first");
        }
        return fork;
    }

    /**
     * Ends the intervals of an option that last at the cursor, and have these nodes.
     *
     * @param separator between the parts of a value; empty if it has only one
     */
    private List<String> ends(WorldOption option, String separator, Predicate<String> nodes) {
        var texts = texts(original, option);
        var withIds = texts(NamesParser.withIds(original, experiment.names()), option);
        var ended = new ArrayList<String>();
        for (int i = 0; i < texts.size(); i++) {
            var parts = parts(texts.get(i), separator);
            var partsWithIds = parts(withIds.get(i), separator);
            for (int j = 0; j < parts.size(); j++) {
                parts.set(j, ended(parts.get(j), partsWithIds.get(j), nodes));
            }
            ended.add(String.join(separator, parts));
        }
        return ended;
    }

    private static List<String> parts(String text, String separator) {
        return new ArrayList<>(separator.isEmpty() ? List.of(text) : List.of(text.split(separator, -1)));
    }

    private String ended(String part, String withIds, Predicate<String> nodes) {
        var interval = INTERVAL.matcher(withIds);
        if (!interval.matches()) {
            return part;
        }
        long from = micros(interval.group(2));
        boolean lasts = from < micros()
                && (interval.group(3) == null || micros(interval.group(3)) > Math.max(from, prefix.time()));
        return lasts && nodes.test(interval.group(1))
                ? part.substring(0, part.lastIndexOf('@') + 1) + interval.group(2) + ".." + time
                : part;
    }

    private static long micros(String time) {
        return Micros.of(SimulatedTime.parseMillis(time));
    }

    private RunArguments lose(long message) {
        requireUnarrived(message);
        requireAbsent(WorldOption.LOSE_MESSAGE, message);
        return withPart(
                withoutPart(WorldOption.DUPLICATE_MESSAGE, Long.toString(message)),
                WorldOption.LOSE_MESSAGE,
                Long.toString(message));
    }

    /** A message that is delayed already is delayed further. */
    private RunArguments delay(long message, Duration by) {
        requireUnarrived(message);
        requireAbsent(WorldOption.LOSE_MESSAGE, message);
        var sum = by;
        var arguments = original;
        for (OptionValue part : original.parts(WorldOption.DELAY_MESSAGE)) {
            if (part.text().startsWith(message + "=")) {
                sum = sum.plus(part.time(part.text().substring(part.text().indexOf('=') + 1)));
                arguments = withoutPart(WorldOption.DELAY_MESSAGE, part.text());
            }
        }
        return withPart(arguments, WorldOption.DELAY_MESSAGE, message + "=" + SimulatedTime.formatMillis(sum));
    }

    /** A message that is not sent yet may have a fault, too. */
    private void requireUnarrived(long message) {
        if (prefix.isAppMessage(message)) {
            throw CommandException.usage(
                    "message " + message + " is between applications", "choose a message of the algorithm");
        }
        if (prefix.hasArrived(message)) {
            throw CommandException.usage(
                    "message " + message + " has arrived at this time", "choose an earlier time, or another message");
        }
    }

    private void requireAbsent(WorldOption option, long message) {
        if (original.parts(option).stream().anyMatch(part -> part.text().equals(Long.toString(message)))) {
            throw CommandException.usage(
                    "message " + message + " has a fault already: " + option.option(), "choose another message");
        }
    }

    private RunArguments request(NodeId node, Problem problem) {
        if (experiment.algorithm().problem() != problem) {
            throw CommandException.usage(
                    experiment.name() + " is not for " + (problem == Problem.MUTEX ? "mutual exclusion" : "elections"),
                    "choose another intervention");
        }
        prefix.requireUp(node);
        if (protocol instanceof ClientServer<?, ?> clientServer && !clientServer.isClient(node)) {
            throw CommandException.usage(node + " is a server, which makes no requests", "choose a client");
        }
        return withPart(WorldOption.ALSO_REQUEST, at(node));
    }

    private RunArguments withPart(WorldOption option, String part) {
        return withPart(original, option, part);
    }

    private static RunArguments withPart(RunArguments arguments, WorldOption option, String part) {
        var texts = new ArrayList<>(texts(arguments, option));
        texts.add(texts.isEmpty() ? part : texts.removeLast() + "," + part);
        return arguments.with(option, texts);
    }

    private RunArguments withoutPart(WorldOption option, String part) {
        var texts = texts(original, option).stream()
                .map(text -> List.of(text.split(",", -1)).stream()
                        .filter(other -> !other.equals(part))
                        .collect(Collectors.joining(",")))
                .filter(text -> !text.isEmpty())
                .toList();
        return original.with(option, texts);
    }

    private static List<String> texts(RunArguments arguments, WorldOption option) {
        return arguments.options().getOrDefault(option.option(), List.of());
    }
}
