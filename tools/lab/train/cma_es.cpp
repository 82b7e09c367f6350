#include "tools/lab/train/cma_es.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

namespace mezzo::train {
namespace {

using Matrix = std::vector<Point>;

/// Normal numbers that do not depend on a library's std::normal_distribution.
class Normal {
 public:
  explicit Normal(uint32_t seed) : random_(seed) {}
  double operator()() {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  double uniform() { return (static_cast<double>(random_()) + 0.5) / 4294967296.0; }
  std::mt19937 random_;
};

/// Turns rows or columns p and q by the angle with this cosine and sine.
void rotate_columns(Matrix& m, size_t p, size_t q, double cosine, double sine) {
  for (Point& row : m) {
    const double a = row[p], b = row[q];
    row[p] = cosine * a - sine * b;
    row[q] = sine * a + cosine * b;
  }
}
void rotate_rows(Matrix& m, size_t p, size_t q, double cosine, double sine) {
  for (size_t k = 0; k < m.size(); ++k) {
    const double a = m[p][k], b = m[q][k];
    m[p][k] = cosine * a - sine * b;
    m[q][k] = sine * a + cosine * b;
  }
}

/// Eigenvectors (columns of `vectors`) and eigenvalues of a symmetric matrix: cyclic Jacobi.
void eigen(Matrix a, Matrix& vectors, Point& values) {
  const size_t n = a.size();
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) vectors[i][j] = i == j ? 1 : 0;
  }
  for (int sweep = 0; sweep < 12; ++sweep) {
    for (size_t p = 0; p < n; ++p) {
      for (size_t q = p + 1; q < n; ++q) {
        if (std::abs(a[p][q]) < 1e-14 * std::sqrt(std::abs(a[p][p] * a[q][q]))) continue;
        const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::hypot(theta, 1.0));
        const double cosine = 1 / std::hypot(t, 1.0), sine = t * cosine;
        rotate_columns(a, p, q, cosine, sine);
        rotate_rows(a, p, q, cosine, sine);
        rotate_columns(vectors, p, q, cosine, sine);
      }
    }
  }
  for (size_t i = 0; i < n; ++i) values[i] = a[i][i];
}

struct Candidate {
  Point direction;  ///< from the mean, in units of the step
  Point at;
  double value = 0;
};

/// Of the parents, the best first; their sum is 1.
Point parents_weights(size_t parents) {
  Point weights;
  double sum = 0;
  for (size_t i = 0; i < parents; ++i) {
    weights.push_back(std::log(static_cast<double>(parents) + 0.5) -
                      std::log(static_cast<double>(i + 1)));
    sum += weights.back();
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

/// How fast the parts of the state are learnt in n dimensions. The names, here and below, are those
/// of Hansen's tutorial.
struct Rates {
  Rates(double n, const Point& weights) {
    double squares = 0;
    for (const double weight : weights) squares += weight * weight;
    mu_eff = 1 / squares;
    c_c = (4 + mu_eff / n) / (n + 4 + 2 * mu_eff / n);
    c_sigma = (mu_eff + 2) / (n + mu_eff + 5);
    c_1 = 2 / ((n + 1.3) * (n + 1.3) + mu_eff);
    c_mu = std::min(1 - c_1, 2 * (mu_eff - 2 + 1 / mu_eff) / ((n + 2) * (n + 2) + mu_eff));
    d_sigma = 1 + 2 * std::max(0.0, std::sqrt((mu_eff - 1) / (n + 1)) - 1) + c_sigma;
    chi_n = std::sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
  }
  double mu_eff, c_c, c_sigma, c_1, c_mu, d_sigma, chi_n;
};

class Evolution {
 public:
  Evolution(const Point& start, double sigma, uint32_t seed)
      : n_(start.size()),
        lambda_(4 + static_cast<size_t>(3 * std::log(static_cast<double>(n_)))),
        mean_(start),
        sigma_(sigma),
        path_c_(n_),
        path_sigma_(n_),
        deviations_(n_, 1),
        covariance_(n_, Point(n_)),
        vectors_(n_, Point(n_)),
        normal_(seed),
        weights_(parents_weights(lambda_ / 2)),
        rates_(static_cast<double>(n_), weights_) {
    for (size_t i = 0; i < n_; ++i) covariance_[i][i] = vectors_[i][i] = 1;
  }

  size_t population() const { return lambda_; }

  Candidate candidate() {
    Point z(n_);
    for (double& v : z) v = normal_();
    Candidate fresh{Point(n_), mean_};
    for (size_t i = 0; i < n_; ++i) {
      for (size_t j = 0; j < n_; ++j) fresh.direction[i] += vectors_[i][j] * deviations_[j] * z[j];
      fresh.at[i] += sigma_ * fresh.direction[i];
    }
    return fresh;
  }

  void learn(std::vector<Candidate>& candidates) {
    std::ranges::stable_sort(candidates, {}, &Candidate::value);
    Point step(n_);
    for (size_t i = 0; i < weights_.size(); ++i) {
      for (size_t j = 0; j < n_; ++j) step[j] += weights_[i] * candidates[i].direction[j];
    }
    for (size_t j = 0; j < n_; ++j) mean_[j] += sigma_ * step[j];
    ++generation_;
    const double length = follow(step);
    const double faded = 1 - std::pow(1 - rates_.c_sigma, 2 * generation_);
    const double limit = 1.4 + 2 / (static_cast<double>(n_) + 1);
    const bool steady = length / std::sqrt(faded) / rates_.chi_n < limit;
    adapt(step, candidates, steady);
    sigma_ *= std::exp(rates_.c_sigma / rates_.d_sigma * (length / rates_.chi_n - 1));
    eigen(covariance_, vectors_, deviations_);
    for (double& v : deviations_) v = std::sqrt(std::max(v, 1e-14));
  }

 private:
  /// Adds the step to the path of steps made round; returns the length of that path.
  double follow(const Point& step) {
    Point along(n_);
    for (size_t j = 0; j < n_; ++j) {
      for (size_t i = 0; i < n_; ++i) along[j] += vectors_[i][j] * step[i];
      along[j] /= deviations_[j];
    }
    double squares = 0;
    for (size_t i = 0; i < n_; ++i) {
      double round = 0;
      for (size_t j = 0; j < n_; ++j) round += vectors_[i][j] * along[j];
      path_sigma_[i] = (1 - rates_.c_sigma) * path_sigma_[i] +
                       std::sqrt(rates_.c_sigma * (2 - rates_.c_sigma) * rates_.mu_eff) * round;
      squares += path_sigma_[i] * path_sigma_[i];
    }
    return std::sqrt(squares);
  }

  void adapt(const Point& step, const std::vector<Candidate>& candidates, bool steady) {
    const double pull = steady ? std::sqrt(rates_.c_c * (2 - rates_.c_c) * rates_.mu_eff) : 0;
    for (size_t i = 0; i < n_; ++i) path_c_[i] = (1 - rates_.c_c) * path_c_[i] + pull * step[i];
    const double kept =
        1 - rates_.c_1 - rates_.c_mu + (steady ? 0 : rates_.c_1 * rates_.c_c * (2 - rates_.c_c));
    for (size_t i = 0; i < n_; ++i) {
      for (size_t j = 0; j < n_; ++j) {
        double rank_mu = 0;
        for (size_t k = 0; k < weights_.size(); ++k) {
          rank_mu += weights_[k] * candidates[k].direction[i] * candidates[k].direction[j];
        }
        covariance_[i][j] =
            kept * covariance_[i][j] + rates_.c_1 * path_c_[i] * path_c_[j] + rates_.c_mu * rank_mu;
      }
    }
  }

  size_t n_, lambda_;
  Point mean_;
  double sigma_;
  Point path_c_, path_sigma_, deviations_;
  Matrix covariance_, vectors_;
  Normal normal_;
  Point weights_;
  Rates rates_;
  int generation_ = 0;
};

}  // namespace

Minimum minimise(const std::function<double(const Point&)>& function,
                 const Point& start,
                 const Search& search) {
  Minimum best{start, function(start)};
  Evolution evolution(start, search.step, search.seed);
  std::vector<Candidate> candidates(evolution.population());
  for (size_t used = 1; used + candidates.size() <= search.evaluations; used += candidates.size()) {
    for (Candidate& candidate : candidates) {
      candidate = evolution.candidate();
      candidate.value = function(candidate.at);
      if (candidate.value < best.value) best = {candidate.at, candidate.value};
    }
    evolution.learn(candidates);
  }
  return best;
}

}  // namespace mezzo::train
