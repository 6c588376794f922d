#pragma once
/// Claimed and measured orders of the steppers as text and JSON.

#include <string>

#include <rattleback/simulate/runs/measured_order.hpp>

namespace rattleback {

std::string as_text(const std::vector<MeasuredOrder>& table);
/// Schema rattleback.orders/1.
std::string as_json(const std::string& model, double until, const std::vector<MeasuredOrder>& table);

}  // namespace rattleback
