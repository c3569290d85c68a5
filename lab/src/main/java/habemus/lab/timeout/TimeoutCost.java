package habemus.lab.timeout;

/**
 * Waiting costs, and so does giving up somebody who lives. The longer one waits, the rarer the mistake.
 *
 * @param costPerMilli what a millisecond of waiting costs
 * @param costPerMistake what it costs to give up somebody who lives
 */
public record TimeoutCost(DelayDistribution delayDistribution, double costPerMilli, double costPerMistake) {

    /**
     * What a timeout costs.
     *
     * @param lateProbability how likely an answer takes longer
     */
    public record Evaluation(double millis, double lateProbability, double waitingCost, double mistakeCost) {
        public double cost() {
            return waitingCost + mistakeCost;
        }
    }

    public TimeoutCost {
        if (!(costPerMilli > 0
                && costPerMistake > 0
                && Double.isFinite(costPerMilli)
                && Double.isFinite(costPerMistake))) {
            throw new IllegalArgumentException("waiting and mistakes cost more than nothing");
        }
    }

    public Evaluation evaluate(double millis) {
        double later = delayDistribution.tailProbability(millis);
        return new Evaluation(millis, later, costPerMilli * millis, costPerMistake * later);
    }

    /** The timeout that costs least; of several the shortest. */
    public Evaluation best() {
        var best = evaluate(0);
        for (double millis : delayDistribution.candidates()) {
            var other = evaluate(millis);
            best = other.cost() < best.cost() ? other : best;
        }
        return best;
    }
}
