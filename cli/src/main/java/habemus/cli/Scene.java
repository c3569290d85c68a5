package habemus.cli;

import com.google.gson.JsonObject;
import habemus.lab.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How a cluster is, put together from what each of its nodes tells of itself. Used by one thread. */
final class Scene {

    /** Something that somebody who looks wants to know. */
    record Happening(String event, String text, JsonObject json) {}

    /** One node: its process, and what it says of its groups. */
    private static final class Place {

        private final String address;
        private final String http;
        private String state = "starting";
        private long pid;
        private final Map<String, JsonObject> locks = new TreeMap<>();
        private final Map<String, JsonObject> elections = new TreeMap<>();
        private Optional<String> log = Optional.empty(); // whom it names as leader of the log, if there is one

        Place(String address, String http) {
            this.address = address;
            this.http = http;
        }
    }

    /** Who leads, as those say who are up. */
    private record Reign(String leader, long term, List<String> named) {
        boolean isSame(@Nullable Reign other) {
            return other != null && leader.equals(other.leader) && term == other.term;
        }
    }

    private static final String LOG = "\0log"; // no election is called so

    private final Map<String, Place> places = new TreeMap<>(Comparator.comparingInt(Scene::number));
    private final Map<String, Reign> reigns = new TreeMap<>(); // as told last
    private final Map<String, Long> missed = new TreeMap<>(); // elections, and when their leader went down
    private final Map<String, String> held = new TreeMap<>();
    private boolean fenced; // the production service, where every node tells of all of it
    private String logLeader = "";

    private static int number(String node) {
        return Integer.parseInt(node.substring(1));
    }

    void add(String node, String address, String http) {
        places.put(node, new Place(address, http));
    }

    private Place place(String node) {
        return Objects.requireNonNull(places.get(node));
    }

    List<Happening> started(String node, long pid) {
        var place = place(node);
        place.state = "starting";
        place.pid = pid;
        return List.of(node(node, "pid " + pid));
    }

    List<Happening> ready(String node) {
        place(node).state = "up";
        return List.of(node(node, "address " + place(node).address + ", HTTP " + place(node).http));
    }

    /** It is there, but says nothing: it was stopped, or the machine is very busy. */
    Happening silent(String node) {
        place(node).state = "silent";
        return node(node, "it says nothing any more");
    }

    /** Again. */
    List<Happening> heard(String node) {
        if (!place(node).state.equals("silent")) {
            return List.of();
        }
        place(node).state = "up";
        return List.of(node(node, "it is heard again"));
    }

    List<Happening> ended(String node, String how) {
        var place = place(node);
        place.state = "down";
        reigns.forEach((election, reign) -> {
            if (reign.leader.equals(node)) {
                missed.put(election, System.nanoTime());
            }
        });
        if (logLeader.equals(node)) {
            missed.put(LOG, System.nanoTime());
        }
        place.locks.clear();
        place.elections.clear();
        place.log = Optional.empty();
        var all = new ArrayList<>(List.of(node(node, how)));
        all.addAll(changes());
        return all;
    }

    private Happening node(String node, String how) {
        var json = new JsonObject();
        json.addProperty("name", node);
        json.addProperty("state", place(node).state);
        json.addProperty("pid", place(node).pid);
        json.addProperty("how", how);
        return new Happening("node", node + " is " + place(node).state + " (" + how + ")", json);
    }

    /** Something that the node tells of itself. */
    List<Happening> told(String node, String kind, JsonObject data) {
        var place = place(node);
        if (place.state.equals("down")) {
            return List.of();
        }
        switch (kind) {
            case "lock" -> place.locks.put(data.get("name").getAsString(), data);
            case "leader" -> place.elections.put(data.get("name").getAsString(), data);
            case "log" -> {
                fenced = true;
                place.log = Optional.of(Asked.text(data, "leader")).filter(leader -> !leader.equals("-"));
            }
            default -> {} // who is up is known here
        }
        return changes();
    }

    private List<Happening> changes() {
        var all = new ArrayList<Happening>(logLed());
        for (String election : names(true)) {
            var before = reigns.get(election);
            reign(election).filter(now -> !now.isSame(before)).ifPresent(now -> {
                reigns.put(election, now);
                all.add(crowned(election, now, before));
            });
        }
        for (String lock : names(false)) {
            var now = words(lock);
            if (!now.equals(held.put(lock, now))) {
                all.add(moved(lock, now));
            }
        }
        return all;
    }

    /** Who leads the log beneath the production service, as somebody says who leads itself or is up. */
    private List<Happening> logLed() {
        var now = tellers().values().stream()
                .flatMap(place -> place.log.stream())
                .filter(leader -> !place(leader).state.equals("down"))
                .findFirst();
        if (!fenced || now.isEmpty() || now.get().equals(logLeader)) {
            return List.of();
        }
        var before = logLeader;
        logLeader = now.get();
        var json = new JsonObject();
        json.addProperty("leader", logLeader);
        return List.of(new Happening("log", logLeader + " leads the log" + after(LOG, before, json), json));
    }

    /** How long it was missed. */
    private String after(String missing, String before, JsonObject json) {
        var since = missed.remove(missing);
        if (since == null || before.isEmpty()) {
            return "";
        }
        double seconds = (System.nanoTime() - since) / 1e9;
        json.addProperty("secondsAfterDown", Math.round(seconds * 1_000) / 1e3);
        return ", %.2f s after %s went down".formatted(seconds, before);
    }

    /** Of the production service one node tells of all of it: who leads, or else the first that is up. */
    private Map<String, Place> tellers() {
        if (!fenced) {
            return places;
        }
        return places.entrySet().stream()
                .filter(each -> each.getValue().state.equals("up"))
                .min(Comparator.comparing(each -> !each.getValue().log.equals(Optional.of(each.getKey()))))
                .map(each -> Map.of(each.getKey(), each.getValue()))
                .orElse(Map.of());
    }

    private List<String> names(boolean elections) {
        return tellers().values().stream()
                .flatMap(place -> (elections ? place.elections : place.locks).keySet().stream())
                .distinct()
                .sorted()
                .toList();
    }

    /** Of several the one with the highest term; who is down leads nothing. */
    private Optional<Reign> reign(String election) {
        return tellers().values().stream()
                .map(place -> place.elections.get(election))
                .filter(Objects::nonNull)
                .filter(told -> !told.get("leader").isJsonNull())
                .filter(told ->
                        fenced || !place(told.get("leader").getAsString()).state.equals("down"))
                .max(Comparator.comparingLong(told -> told.get("term").getAsLong()))
                .map(told -> new Reign(
                        told.get("leader").getAsString(),
                        told.get("term").getAsLong(),
                        named(election, told.get("leader").getAsString())));
    }

    private List<String> named(String election, String leader) {
        var named = new ArrayList<String>();
        tellers().forEach((node, place) -> {
            var told = place.elections.get(election);
            if (told != null && Asked.text(told, "leader").equals(leader)) {
                named.add(node);
            }
        });
        return named;
    }

    private Happening crowned(String election, Reign now, @Nullable Reign before) {
        var json = new JsonObject();
        json.addProperty("name", election);
        json.addProperty("leader", now.leader);
        json.addProperty("term", now.term);
        var text = "election " + election + ": " + now.leader + " leads, term " + now.term;
        return new Happening("leader", text + after(election, before == null ? "" : before.leader, json), json);
    }

    private Happening moved(String lock, String now) {
        var json = new JsonObject();
        json.addProperty("name", lock);
        json.addProperty("words", now);
        return new Happening("lock", "lock " + lock + ": " + now, json);
    }

    /** Who holds it, be it several, and who waits. */
    private String words(String lock) {
        var holders = new ArrayList<String>();
        var waiters = new ArrayList<String>();
        tellers()
                .forEach((node, place) -> Optional.ofNullable(place.locks.get(lock))
                        .ifPresent(told -> {
                            if (!told.get("holder").isJsonNull()) {
                                holders.add(
                                        Asked.text(told, "holder") + at(node) + ", fence " + Asked.text(told, "fence"));
                            }
                            told.getAsJsonArray("waiters")
                                    .forEach(
                                            one -> waiters.add(Asked.text(one.getAsJsonObject(), "client") + at(node)));
                        }));
        var words = holders.isEmpty() ? "nobody holds it" : "held by " + String.join(" AND BY ", holders);
        return waiters.isEmpty() ? words : words + "; waiting: " + String.join(", ", waiters);
    }

    private String at(String node) {
        return fenced ? "" : " at " + node;
    }

    /** All of it, for a terminal. */
    String picture(Paint paint) {
        var table =
                new Table("node", "state", "pid", "address", "HTTP", fenced ? "leader of the log" : "names as leader");
        places.forEach((node, place) -> table.row(
                node,
                place.state,
                place.state.equals("down") ? "-" : place.pid,
                place.address,
                place.http,
                fenced ? place.log.orElse("-") : naming(place)));
        var text = new StringBuilder();
        table.text()
                .lines()
                .forEach(line -> text.append(
                                line.contains(" down ")
                                        ? paint.red(line)
                                        : line.contains(" silent ") ? paint.faint(line) : line)
                        .append('\n'));
        text.append('\n');
        names(true)
                .forEach(election -> text.append("election ")
                        .append(election)
                        .append(": ")
                        .append(reign(election)
                                .map(reign -> paint.bold(reign.leader + " leads, term " + reign.term)
                                        + (fenced ? "" : ", say " + String.join(" ", reign.named)))
                                .orElse("nobody leads"))
                        .append('\n'));
        names(false)
                .forEach(lock -> text.append("lock ")
                        .append(lock)
                        .append(": ")
                        .append(words(lock))
                        .append('\n'));
        return text.toString();
    }

    private static String naming(Place place) {
        var all = place.elections.entrySet().stream()
                .filter(each -> !each.getValue().get("leader").isJsonNull())
                .map(each -> (each.getKey().equals(ServeOptions.LEADER) ? "" : each.getKey() + ": ")
                        + Asked.text(each.getValue(), "leader") + ", term " + Asked.text(each.getValue(), "term"))
                .collect(Collectors.joining("; "));
        return all.isEmpty() ? "-" : all;
    }
}
